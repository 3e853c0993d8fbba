/** Slots of a leaf that hold a value, as runs of neighbours, each in one of the pieces that the data comes in. */

const FIRST_ROOM = 1 << 6;

export class Runs {
  count = 0;
  /** Slots of all runs. */
  values = 0;
  piece = new Uint32Array(FIRST_ROOM);
  from = new Uint32Array(FIRST_ROOM);
  to = new Uint32Array(FIRST_ROOM);
  #room = FIRST_ROOM;

  clear(): void {
    this.count = 0;
    this.values = 0;
  }

  add(piece: number, from: number, to: number): void {
    const { count } = this;
    this.values += to - from;
    if (count > 0 && this.to[count - 1] === from && this.piece[count - 1] === piece) {
      this.to[count - 1] = to;
      return;
    }
    if (count === this.#room) this.#grow();
    this.piece[count] = piece;
    this.from[count] = from;
    this.to[count] = to;
    this.count++;
  }

  #grow(): void {
    this.#room *= 2;
    for (const lane of ['piece', 'from', 'to'] as const) {
      const wider = new Uint32Array(this.#room);
      wider.set(this[lane]);
      this[lane] = wider;
    }
  }

  /** The number among all values of a slot of a piece, from value `least` on. */
  valueOf(piece: number, slot: number, least: number): number {
    let value = 0;
    for (let run = 0; run < this.count; run++) {
      const length = this.to[run] - this.from[run];
      const found = value + slot - this.from[run];
      const inside = slot >= this.from[run] && slot < this.to[run];
      if (this.piece[run] === piece && inside && found >= least) return found;
      value += length;
    }
    return least;
  }
}

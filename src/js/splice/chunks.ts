/** Column chunks of all row groups, row group after row group: numbers in a table, so that a chunk takes 64 bytes. */

export const Slot = {
  start: 0,
  end: 1,
  offsetIndex: 2,
  offsetIndexEnd: 3,
  columnIndex: 4,
  columnIndexEnd: 5,
  bloom: 6,
  /** 0 where only the filter's own header tells. */
  bloomEnd: 7,
} as const;

const WIDTH = 8;

export class Chunks {
  readonly columns: number;
  readonly count: number;
  /** Rows by row group. */
  readonly rows: Float64Array;
  readonly #numbers: Float64Array;

  constructor(groups: number, columns: number) {
    this.columns = columns;
    this.count = groups * columns;
    this.rows = new Float64Array(groups);
    this.#numbers = new Float64Array(this.count * WIDTH);
  }

  get(chunk: number, slot: number): number {
    return this.#numbers[chunk * WIDTH + slot];
  }

  set(chunk: number, slot: number, value: number): void {
    this.#numbers[chunk * WIDTH + slot] = value;
  }

  rowsOf(chunk: number): number {
    return this.rows[Math.floor(chunk / this.columns)];
  }

  /** Bytes from one slot to the next, over all chunks: of `Slot.columnIndex` those of all column indexes. */
  total(slot: number): number {
    let sum = 0;
    for (let chunk = 0; chunk < this.count; chunk++) sum += Math.max(this.get(chunk, slot + 1) - this.get(chunk, slot), 0);
    return sum;
  }
}

// Seeded random numbers, so that a run can be repeated from its printed seed.

/** FNV-1a of a text: turns the name of a case and the run's seed into the case's own seed. */
export function seedOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** 32 random bits: a Weyl sequence, its steps mixed by multiplications and shifts. */
  u32() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** An integer in [0, limit). */
  below(limit) {
    return this.u32() % limit;
  }

  chance(part) {
    return this.u32() < part * 2 ** 32;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** An unsigned bigint of exactly `bits` random bits. */
  bits(bits) {
    let value = 0n;
    for (let have = 0; have < bits; have += 32) value = (value << 32n) | BigInt(this.u32());
    return BigInt.asUintN(bits, value);
  }

  bytes(length) {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}

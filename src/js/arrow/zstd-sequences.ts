/** Sequences of a block: how literals and matches alternate (RFC 8878, 3.1.1.3.2). */

import { copyLiterals, copyMatch, corrupt, cutOff, tooMuch } from './copy.js';
import { BitReader, buildFse, constantFse, type FseTable, readFse } from './zstd-fse.js';
import type { Literals } from './zstd-literals.js';

/** Extra bits by code; each code starts where the one before ends. */
const zeros = (count: number) => new Array<number>(count).fill(0);
const literalBits = [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const matchBits = [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const literalBases = startsOf(literalBits, 0);
const matchBases = startsOf(matchBits, 3);

function startsOf(bits: readonly number[], first: number): number[] {
  let next = first;
  return bits.map((count) => (next += 1 << count) - (1 << count));
}

/** The three kinds of codes: literal lengths, offsets, match lengths, with the counts of their predefined tables. */
const kinds = [
  {
    mostLog: 9, mostSymbol: 35, log: 6,
    counts: [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
    ],
  },
  {
    mostLog: 8, mostSymbol: 31, log: 5,
    counts: [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
  },
  {
    mostLog: 9, mostSymbol: 52, log: 6,
    counts: [1, 4, 3, 2, 2, 2, 2, 2, 2, ...new Array<number>(37).fill(1), ...new Array<number>(7).fill(-1)],
  },
] as const;

const enum Mode { predefined, rle, fse }

/** What the sequences of a frame share. */
export class Sequences {
  readonly #bytes: Uint8Array;
  readonly #out: Uint8Array;
  /** Where the frame's content starts. */
  readonly #start: number;
  readonly #tables: (FseTable | undefined)[] = [undefined, undefined, undefined];
  readonly #recent = [1, 4, 8];

  constructor(bytes: Uint8Array, out: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#out = out;
    this.#start = start;
  }

  /** Runs the section from `at` to `end` with the block's literals; gives how far `out` is filled then. */
  run(at: number, end: number, literals: Literals, filled: number): number {
    const bytes = this.#bytes;
    if (at >= end) cutOff();
    let count = bytes[at++];
    if (count === 255) {
      count = (bytes[at] | (bytes[at + 1] << 8)) + 0x7f00;
      at += 2;
    } else if (count >= 128) {
      count = ((count - 128) << 8) | bytes[at++];
    }
    const last = literals.at + literals.size;
    let next = literals.at;
    if (count > 0) {
      const start = this.#readTables(at, end);
      [next, filled] = this.#execute(new BitReader(bytes, start, end), count, literals.bytes, next, last, filled);
    } else if (at !== end) {
      corrupt('a stream does not end where it should');
    }
    if (filled + last - next > this.#out.length) tooMuch();
    copyLiterals(literals.bytes, next, this.#out, filled, last - next);
    return filled + last - next;
  }

  #readTables(at: number, end: number): number {
    if (at >= end) cutOff();
    const modes = this.#bytes[at];
    if ((modes & 3) !== 0) corrupt(`sequences have the flags ${modes}`);
    let next = at + 1;
    kinds.forEach((kind, index) => {
      const mode = (modes >>> (6 - 2 * index)) & 3;
      if (mode === Mode.predefined) {
        this.#tables[index] = buildFse(kind.counts, kind.log);
      } else if (mode === Mode.rle) {
        const symbol = next < end ? this.#bytes[next++] : cutOff();
        if (symbol > kind.mostSymbol) corrupt(`there is no code ${symbol}`);
        this.#tables[index] = constantFse(symbol);
      } else if (mode === Mode.fse) {
        const read = readFse(this.#bytes, next, end, kind.mostLog, kind.mostSymbol);
        this.#tables[index] = read.table;
        next = read.end;
      } else if (this.#tables[index] === undefined) {
        corrupt('a block uses codes that are not there');
      }
    });
    return next;
  }

  /** Gives how many literals are used, and how far `out` is filled. */
  #execute(
    reader: BitReader, count: number, literals: Uint8Array, next: number, last: number, filled: number,
  ): [number, number] {
    const [lengths, offsets, matches] = this.#tables as FseTable[];
    const out = this.#out;
    let lengthState = reader.read(lengths.log);
    let offsetState = reader.read(offsets.log);
    let matchState = reader.read(matches.log);
    for (let sequence = 1; ; sequence++) {
      const offsetValue = readOffset(reader, offsets.symbols[offsetState]);
      const matchCode = matches.symbols[matchState];
      const match = matchBases[matchCode] + reader.read(matchBits[matchCode]);
      const lengthCode = lengths.symbols[lengthState];
      const length = literalBases[lengthCode] + reader.read(literalBits[lengthCode]);
      const offset = this.#offset(offsetValue, length);
      if (next + length > last) tooMuch();
      if (filled + length + match > out.length) tooMuch();
      copyLiterals(literals, next, out, filled, length);
      next += length;
      filled += length;
      if (offset > filled - this.#start) corrupt(`an offset is ${offset}`);
      copyMatch(out, filled, offset, match);
      filled += match;
      if (sequence === count) break;
      lengthState = lengths.bases[lengthState] + reader.read(lengths.bits[lengthState]);
      matchState = matches.bases[matchState] + reader.read(matches.bits[matchState]);
      offsetState = offsets.bases[offsetState] + reader.read(offsets.bits[offsetState]);
      if (reader.left < 0) break;
    }
    if (reader.left !== 0) corrupt('a stream does not end where it should');
    return [next, filled];
  }

  /** Values up to 3 stand for offsets used before; which one depends on whether there are literals. */
  #offset(value: number, literals: number): number {
    const recent = this.#recent;
    if (value > 3) {
      recent[2] = recent[1];
      recent[1] = recent[0];
      return (recent[0] = value - 3);
    }
    const which = literals === 0 ? value : value - 1;
    if (which === 0) return recent[0];
    const offset = which === 3 ? recent[0] - 1 : recent[which];
    if (offset === 0) corrupt('an offset is 0');
    if (which > 1) recent[2] = recent[1];
    recent[1] = recent[0];
    return (recent[0] = offset);
  }
}

/** The code says how many bits follow, up to 31: more than can be read at once. */
function readOffset(reader: BitReader, code: number): number {
  if (code <= 24) return (1 << code) + reader.read(code);
  const high = reader.read(code - 16);
  return 2 ** code + high * 65536 + reader.read(16);
}

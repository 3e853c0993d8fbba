/** What the module is told of a file: numbers and texts in the order in which src/wasm/settings.rs takes them. */

import type { FileOptions, LeafOptions } from './options.js';
import type { ElementSetting } from './schema.js';

export interface Settings {
  readonly elements: readonly ElementSetting[];
  readonly leaves: readonly LeafOptions[];
  /** Leaf, descending, nulls first. */
  readonly sorting: readonly (readonly [number, boolean, boolean])[];
  readonly metadata: readonly (readonly [string, string])[];
  readonly options: FileOptions;
}

/** The first arguments of a WasmWriter. */
export function pack({ elements, leaves, sorting, metadata, options }: Settings): [Float64Array, Uint8Array] {
  const { pageVersion, pageBytes, pageRows, leastPageBytes, dictionaryBytes, statisticsTruncateBytes } = options;
  const numbers = [Number(options.modern), pageVersion, pageBytes, pageRows, leastPageBytes, dictionaryBytes, statisticsTruncateBytes];
  numbers.push(Number(options.pageChecksum));
  const texts = [options.createdBy];
  numbers.push(elements.length);
  for (const { name, repetition, children, physical, typeLength, logical, a, b, fieldId } of elements) {
    texts.push(name);
    numbers.push(repetition, children, physical, typeLength, logical, a, b, fieldId);
  }
  numbers.push(leaves.length);
  for (const { codec, level, encoding, dictionary, statistics, bloomFpp, bloomBytes } of leaves) {
    numbers.push(codec, level, encoding, Number(dictionary), statistics, bloomFpp, bloomBytes);
  }
  numbers.push(sorting.length, ...sorting.flat().map(Number), metadata.length);
  return [Float64Array.from(numbers), bytesOfTexts([...texts, ...metadata.flat()])];
}

/** All texts in UTF-8, each behind its length in four bytes. */
function bytesOfTexts(texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const all = texts.map((text) => encoder.encode(text));
  const bytes = new Uint8Array(all.reduce((size, { length }) => size + 4 + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const text of all) {
    view.setUint32(at, text.length, true);
    bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  return bytes;
}

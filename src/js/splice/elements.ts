/** The schema of a file, as far as two files must agree on it. */

import { ParquetError } from '../errors.js';
import { type CompactReader, Kind } from './compact-reader.js';
import { convertedText, groupText, leafText, logicalText } from './type-text.js';

/** One element of the schema. */
export interface SchemaElement {
  readonly name: string;
  /** 0 required, 1 optional, 2 repeated. */
  readonly repetition: number;
  /** The format's number, or −1 for a group. */
  readonly physical: number;
  readonly children: number;
  /** What it is in words: a type, or the kind of a group. Equal words mean equal values. */
  readonly text: string;
  /** −1: none. */
  readonly fieldId: number;
  readonly parent: SchemaElement | undefined;
  /** Rank in which its leaf stands among the leaves; −1 for a group. */
  readonly leaf: number;
  /** Elements above it and itself that may repeat. */
  readonly repeats: number;
}

const decoder = new TextDecoder();
const REPETITIONS = ['required', 'optional', 'repeated'];

/** Reads the list of elements, depth first, the root before all; the reader stands at the list's header. */
export function readElements(reader: CompactReader, kind: number): SchemaElement[] {
  const elements: SchemaElement[] = [];
  const open: { element: SchemaElement | undefined; left: number }[] = [{ element: undefined, left: 1 }];
  let leaves = 0;
  reader.each(kind, Kind.struct, 'the schema', () => {
    while (open.length > 0 && open[open.length - 1].left === 0) open.pop();
    const group = open[open.length - 1] ?? reader.fail('its schema has more elements than groups say');
    group.left--;
    const raw = readElement(reader);
    const leaf = raw.children > 0 || elements.length === 0 ? -1 : leaves++;
    const repeats = (group.element?.repeats ?? 0) + (raw.repetition === 2 && elements.length > 0 ? 1 : 0);
    const element: SchemaElement = { ...raw, parent: group.element, leaf, repeats };
    if (leaf >= 0 && raw.physical < 0) reader.fail(`column ${JSON.stringify(pathOf(element))} has no type`);
    elements.push(element);
    if (leaf < 0) open.push({ element, left: raw.children });
  });
  if (elements.length === 0 || open.some(({ left }) => left > 0)) reader.fail('its schema is not whole');
  return elements;
}

function readElement(reader: CompactReader): Omit<SchemaElement, 'parent' | 'leaf' | 'repeats'> {
  let name = '';
  let repetition = 0;
  let physical = -1;
  let typeLength = 0;
  let children = 0;
  let converted = -1;
  let scale = 0;
  let precision = 0;
  let fieldId = -1;
  let logical: string | undefined;
  let strange = '';
  reader.struct((id, kind) => {
    const size = (what: string) => {
      reader.expect(kind, Kind.i32, what);
      return reader.size(what);
    };
    if (id === 1) physical = size('a type');
    else if (id === 2) typeLength = size('a length of values');
    else if (id === 3) repetition = size('a repetition');
    else if (id === 4) name = readText(reader, kind);
    else if (id === 5) children = size('a number of children');
    else if (id === 6) converted = size('a converted type');
    else if (id === 7) scale = size('a scale');
    else if (id === 8) precision = size('a precision');
    else if (id === 9) {
      reader.expect(kind, Kind.i32, 'a field id');
      fieldId = reader.integer();
    } else if (id === 10) {
      reader.expect(kind, Kind.struct, 'a logical type');
      logical = logicalText(reader);
    } else strange += ` field ${id}`;
  });
  if (repetition > 2 || physical > 7) reader.fail(`the schema's element ${JSON.stringify(name)} has an unknown type`);
  const meaning = logical ?? convertedText(converted, precision, scale);
  const text = physical < 0 ? groupText(meaning) : leafText(physical, typeLength, meaning);
  return { name, repetition, physical, children, text: text + strange, fieldId };
}

export function readText(reader: CompactReader, kind: number): string {
  reader.expect(kind, Kind.binary, 'a text');
  const start = reader.binary();
  return decoder.decode(reader.bytes.subarray(start, reader.at));
}

/** The path of an element from the root, without the root's own name. */
export function pathOf(element: SchemaElement): string {
  const { parent } = element;
  return parent?.parent === undefined ? element.name : `${pathOf(parent)}.${element.name}`;
}

/** Compares with the schema of another file. Errors: ERR_SCHEMA naming the first field that differs. */
export function mustAgree(
  elements: readonly SchemaElement[],
  what: string,
  others: readonly SchemaElement[],
  otherWhat: string,
): void {
  if (elements === others) return;
  for (let index = 0; index < Math.max(elements.length, others.length); index++) {
    const [ours, theirs] = [elements[index], others[index]] as (SchemaElement | undefined)[];
    // The root's name, repetition and type say nothing.
    if (index === 0 && ours?.children === theirs?.children) continue;
    if (ours !== undefined && theirs !== undefined && agree(ours, theirs)) continue;
    const place = ours ?? theirs!;
    const column = index === 0 ? undefined : pathOf(place);
    const named = column === undefined ? 'the number of columns' : `column ${JSON.stringify(column)}`;
    const text = `${named} differs: ${describe(theirs)} in ${otherWhat}, ${describe(ours)} here`;
    throw new ParquetError('ERR_SCHEMA', `${what}: ${text}`, { column });
  }
}

function agree(ours: SchemaElement, theirs: SchemaElement): boolean {
  return (
    ours.name === theirs.name &&
    ours.repetition === theirs.repetition &&
    ours.physical === theirs.physical &&
    ours.children === theirs.children &&
    ours.text === theirs.text &&
    // Without an id a column goes by its name.
    (ours.fieldId === theirs.fieldId || ours.fieldId === -1 || theirs.fieldId === -1)
  );
}

const PHYSICALS = [
  'BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY',
];

function describe(element: SchemaElement | undefined): string {
  if (element === undefined) return 'missing';
  if (element.parent === undefined) return `${element.children} columns`;
  const { name, repetition, text, physical, children, fieldId } = element;
  const words = [JSON.stringify(name), REPETITIONS[repetition], text];
  if (physical >= 0) words.push(`as ${PHYSICALS[physical]}`);
  else words.push(`of ${children}`);
  if (fieldId >= 0) words.push(`with field id ${fieldId}`);
  return words.join(' ');
}

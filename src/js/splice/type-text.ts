/** Types of a file's schema as text, in the notation of `TypeSpec` where that has a word. */

import { type CompactReader, Kind } from './compact-reader.js';

const UNITS = ['ms', 'us', 'ns'];
const PHYSICAL_NAMES = ['bool', 'int32', 'int64', 'int96', 'float32', 'float64', 'binary', 'fixed'];
const INT32 = 1;
const INT64 = 2;
const FIXED = 7;

/** Logical types that have nothing to say beyond their number in the union. */
const plainLogicals = new Map([
  [1, 'string'],
  [2, 'MAP'],
  [3, 'LIST'],
  [4, 'enum'],
  [6, 'date'],
  [11, 'null'],
  [12, 'json'],
  [13, 'bson'],
  [14, 'uuid'],
  [15, 'float16'],
]);

const convertedTypes = [
  'string', 'MAP', 'MAP', 'LIST', 'enum', 'decimal', 'date', 'time[ms, UTC]', 'time[us, UTC]', 'timestamp[ms, UTC]',
  'timestamp[us, UTC]', 'uint8', 'uint16', 'uint32', 'uint64', 'int8', 'int16', 'int32', 'int64', 'json', 'bson',
  'interval',
];

/** The LogicalType union; what is unknown is told by its bytes. */
export function logicalText(reader: CompactReader): string {
  let text = '';
  reader.struct((id, kind) => {
    reader.expect(kind, Kind.struct, 'a logical type');
    const start = reader.at;
    const numbers = new Map<number, number>();
    const plain = plainLogicals.get(id);
    if (plain === undefined && (id === 5 || id === 7 || id === 8 || id === 10)) {
      reader.struct((field, of) => {
        if (of === Kind.true || of === Kind.false) numbers.set(field, Number(of === Kind.true));
        else if (of === Kind.i8) numbers.set(field, reader.byte());
        else if (of === Kind.i32) numbers.set(field, reader.size('a number of a logical type'));
        else if (of === Kind.struct) reader.struct((unit) => void numbers.set(field, unit));
      });
    } else {
      reader.skip(Kind.struct);
    }
    const first = numbers.get(1) ?? 0;
    const second = numbers.get(2) ?? 0;
    const zone = first === 1 ? ', UTC' : '';
    if (plain !== undefined) text += plain;
    else if (id === 5) text += `decimal(${second}, ${first})`;
    else if (id === 7 || id === 8) text += `${id === 7 ? 'time' : 'timestamp'}[${UNITS[second - 1]}${zone}]`;
    else if (id === 10) text += `${second === 1 ? '' : 'u'}int${first}`;
    else text += `logical type ${id} (${reader.bytes.subarray(start, reader.at).join(' ')})`;
  });
  return text;
}

/** What ConvertedType says to readers that do not know LogicalType. */
export function convertedText(converted: number, precision: number, scale: number): string {
  if (converted < 0) return '';
  const text = convertedTypes[converted] ?? `converted type ${converted}`;
  return text === 'decimal' ? `decimal(${precision}, ${scale})` : text;
}

export function groupText(meaning: string): string {
  return meaning === '' ? 'group' : meaning;
}

/** An annotation that adds nothing to the physical type is not told. */
export function leafText(physical: number, typeLength: number, meaning: string): string {
  const bare = physical === FIXED ? `fixed[${typeLength}]` : PHYSICAL_NAMES[physical];
  if (meaning === '') return bare;
  if (physical === FIXED && meaning.startsWith('decimal')) return `${meaning} in ${typeLength} bytes`;
  if ((physical === INT32 && meaning === 'int32') || (physical === INT64 && meaning === 'int64')) return bare;
  return meaning;
}

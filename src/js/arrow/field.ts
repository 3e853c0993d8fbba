/** Arrow's fields and types, the same for all inputs. */

/** Numbers of the union `Type` in Arrow's Schema.fbs; −1, which never stands in a file, for dictionary encoding. */
export const TypeId = {
  dictionary: -1, null: 1, int: 2, float: 3, binary: 4, utf8: 5, bool: 6, decimal: 7, date: 8, time: 9, timestamp: 10,
  interval: 11, list: 12, struct: 13, union: 14, fixedSizeBinary: 15, fixedSizeList: 16, map: 17, duration: 18,
  largeBinary: 19, largeUtf8: 20, largeList: 21, runEndEncoded: 22, binaryView: 23, utf8View: 24, listView: 25,
  largeListView: 26,
} as const;

export const MOST_TYPE_ID = TypeId.largeListView;

/** Names by number, as pyarrow and the format's own documents have them. */
const names: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(TypeId).map(([name, id]) => [id, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]));

/** One type; what a number means depends on `id`, and those that have no meaning for it are 0. */
export interface ArrowType {
  readonly id: number;
  /** Of int, float and decimal, in bits. */
  readonly bits: number;
  readonly signed: boolean;
  /** Of decimals. */
  readonly precision: number;
  readonly scale: number;
  /** date: 0 days, 1 ms. time, timestamp, duration: 0 s to 3 ns. interval: 0 year_month, 1 day_time, 2 month_day_nano. */
  readonly unit: number;
  /** Of a timestamp. */
  readonly zone: string | undefined;
  /** fixed_size_binary: bytes; fixed_size_list: values. */
  readonly width: number;
  /** Of nested types. */
  readonly children: readonly ArrowField[];
  /** Of a dictionary: its indices, its values, and the number by which a stream refers to it. */
  readonly indices: ArrowType | undefined;
  readonly values: ArrowType | undefined;
  readonly dictionaryId: bigint;
}

export interface ArrowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly type: ArrowType;
  readonly metadata: ReadonlyMap<string, string>;
}

export function arrowType(id: number, more: Partial<ArrowType> = {}): ArrowType {
  return {
    id, bits: 0, signed: true, precision: 0, scale: 0, unit: 0, zone: undefined, width: 0, children: [],
    indices: undefined, values: undefined, dictionaryId: -1n, ...more,
  };
}

/** The name of an Arrow type, for messages. */
export function arrowName(type: ArrowType): string {
  const { id } = type;
  if (id === TypeId.int) return `${type.signed ? '' : 'u'}int${type.bits}`;
  if (id === TypeId.float) return `float${type.bits}`;
  if (id === TypeId.decimal) return `decimal${type.bits}(${type.precision}, ${type.scale})`;
  if (id === TypeId.interval) return `interval[${['year_month', 'day_time', 'month_day_nano'][type.unit]}]`;
  return names[id] ?? `type ${id}`;
}

/** Bits of a slot of a fixed-width type, 0 for other types. */
export function slotBits(type: ArrowType): number {
  switch (type.id) {
    case TypeId.bool: return 1;
    case TypeId.int:
    case TypeId.float:
    case TypeId.decimal: return type.bits;
    case TypeId.date: return type.unit === 0 ? 32 : 64;
    case TypeId.time: return type.unit <= 1 ? 32 : 64;
    case TypeId.timestamp:
    case TypeId.duration: return 64;
    case TypeId.interval: return [32, 64, 128][type.unit];
    case TypeId.fixedSizeBinary: return type.width * 8;
    case TypeId.dictionary: return type.indices?.bits ?? 0;
    default: return 0;
  }
}

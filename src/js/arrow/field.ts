/** Arrow's fields and types, the same for all inputs. */

/** Numbers of the union `Type` in Arrow's Schema.fbs; −1, which never stands in a file, for dictionary encoding. */
export const enum TypeId {
  dictionary = -1, null = 1, int, float, binary, utf8, bool, decimal, date, time, timestamp, interval, list, struct,
  union, fixedSizeBinary, fixedSizeList, map, duration, largeBinary, largeUtf8, largeList, runEndEncoded, binaryView,
  utf8View, listView, largeListView,
}

export const MOST_TYPE_ID = TypeId.largeListView;

/** One type; what a number means depends on `id`, and those that have no meaning for it are 0. */
export interface ArrowType {
  readonly id: number;
  /** Of int, float and decimal, in bits. */
  readonly bits: number;
  readonly signed: boolean;
  /** Of decimals. */
  readonly precision: number;
  readonly scale: number;
  /**
   * date: 0 days, 1 ms. time, timestamp, duration: 0 s to 3 ns. interval: 0 year_month, 1 day_time, 2 month_day_nano.
   */
  readonly unit: number;
  /** Of a timestamp. */
  readonly zone: string | undefined;
  /** fixed_size_binary: bytes; fixed_size_list: values. */
  readonly width: number;
  /** A map's keys are sorted, the values of a dictionary have an order. */
  readonly ordered: boolean;
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
    id, bits: 0, signed: true, precision: 0, scale: 0, unit: 0, zone: undefined, width: 0, ordered: false,
    children: [], indices: undefined, values: undefined, dictionaryId: -1n, ...more,
  };
}

/** The name of a number type, or of one that messages are about. */
export function arrowName({ id, bits, signed, precision, scale, unit }: ArrowType): string {
  switch (id) {
    case TypeId.int: return `${signed ? '' : 'u'}int${bits}`;
    case TypeId.float: return `float${bits}`;
    case TypeId.decimal: return `decimal${bits}(${precision}, ${scale})`;
    case TypeId.interval: return `interval[${['year_month', 'day_time', 'month_day_nano'][unit]}]`;
    default: return id === TypeId.union ? 'union' : `type ${id}`;
  }
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

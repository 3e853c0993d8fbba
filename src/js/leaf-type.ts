/** Types whose values stand in one column chunk, and what the file says about each. */

/** `Type` of the format. */
export const Physical = { boolean: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 } as const;

/** `LogicalType` of the format; interval, which is a converted type only, under an id that the union does not use. */
export const Logical = {
  none: 0,
  string: 1,
  map: 2,
  list: 3,
  enum: 4,
  decimal: 5,
  date: 6,
  time: 7,
  timestamp: 8,
  interval: 9,
  integer: 10,
  unknown: 11,
  json: 12,
  bson: 13,
  uuid: 14,
  float16: 15,
} as const;

export type Unit = 'ms' | 'us' | 'ns';
export const units: readonly Unit[] = ['ms', 'us', 'ns'];

/** Most digits of a decimal. */
export const MOST_DIGITS = 38;

export type Kind =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float16'
  | 'float32'
  | 'float64'
  | 'string'
  | 'enum'
  | 'json'
  | 'binary'
  | 'bson'
  | 'fixed'
  | 'uuid'
  | 'decimal'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'int96'
  | 'null';

/** A type whose values stand in one column chunk. */
export interface LeafType {
  /** The type in its usual spelling. */
  readonly text: string;
  readonly kind: Kind;
  readonly physical: number;
  /** Bytes of a value in PLAIN form; 0 for bool and for byte arrays, whose values have no width of their own. */
  readonly width: number;
  readonly logical: number;
  /** The logical type's two numbers: precision and scale, unit and UTC, bit width and sign. */
  readonly a: number;
  readonly b: number;
  /** Of a decimal. */
  readonly precision: number;
  readonly scale: number;
  /** Of a time or timestamp. */
  readonly unit: Unit;
  readonly utc: boolean;
}

function leaf(kind: Kind, physical: number, width: number, logical: number, more: Partial<LeafType> = {}): LeafType {
  const none = { a: 0, b: 0, precision: 0, scale: 0, unit: 'ms', utc: false } as const;
  return { text: kind, kind, physical, width, logical, ...none, ...more };
}

const integer = (kind: Kind, bits: number, signed: boolean) => {
  const [physical, width] = bits === 64 ? [Physical.int64, 8] : [Physical.int32, 4];
  return leaf(kind, physical, width, Logical.integer, { a: bits, b: signed ? 1 : 0 });
};

/** Types without arguments. */
export const plainTypes = {
  bool: leaf('bool', Physical.boolean, 0, Logical.none),
  int8: integer('int8', 8, true),
  int16: integer('int16', 16, true),
  int32: leaf('int32', Physical.int32, 4, Logical.none),
  int64: leaf('int64', Physical.int64, 8, Logical.none),
  uint8: integer('uint8', 8, false),
  uint16: integer('uint16', 16, false),
  uint32: integer('uint32', 32, false),
  uint64: integer('uint64', 64, false),
  float16: leaf('float16', Physical.fixed, 2, Logical.float16),
  float32: leaf('float32', Physical.float, 4, Logical.none),
  float64: leaf('float64', Physical.double, 8, Logical.none),
  string: leaf('string', Physical.bytes, 0, Logical.string),
  enum: leaf('enum', Physical.bytes, 0, Logical.enum),
  json: leaf('json', Physical.bytes, 0, Logical.json),
  binary: leaf('binary', Physical.bytes, 0, Logical.none),
  bson: leaf('bson', Physical.bytes, 0, Logical.bson),
  uuid: leaf('uuid', Physical.fixed, 16, Logical.uuid),
  date: leaf('date', Physical.int32, 4, Logical.date),
  interval: leaf('interval', Physical.fixed, 12, Logical.interval),
  int96: leaf('int96', Physical.int96, 12, Logical.none),
  null: leaf('null', Physical.int32, 4, Logical.unknown),
} as const satisfies Record<string, LeafType>;

function withUnit(kind: 'time' | 'timestamp', logical: number, unit: Unit, utc: boolean): LeafType {
  const [physical, width] = kind === 'time' && unit === 'ms' ? [Physical.int32, 4] : [Physical.int64, 8];
  const text = `${kind}[${unit}${utc ? ', UTC' : ''}]`;
  return leaf(kind, physical, width, logical, { text, a: units.indexOf(unit), b: utc ? 1 : 0, unit, utc });
}

export function time(unit: Unit, utc: boolean): LeafType {
  return withUnit('time', Logical.time, unit, utc);
}

export function timestamp(unit: Unit, utc: boolean): LeafType {
  return withUnit('timestamp', Logical.timestamp, unit, utc);
}

export function fixed(width: number): LeafType {
  return leaf('fixed', Physical.fixed, width, Logical.none, { text: `fixed[${width}]` });
}

/** A decimal in the narrowest form that the format has for its precision. */
export function decimal(precision: number, scale: number): LeafType {
  const [physical, width] =
    precision <= 9
      ? [Physical.int32, 4]
      : precision <= 18
        ? [Physical.int64, 8]
        : [Physical.fixed, Math.ceil((precision * Math.log2(10) + 1) / 8)];
  const text = `decimal(${precision}, ${scale})`;
  return leaf('decimal', physical, width, Logical.decimal, { text, a: precision, b: scale, precision, scale });
}

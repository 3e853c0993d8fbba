/** Column types: a tree of lists, structs and maps with leaves, and what the file says about each. */

/** `Type` of the format. */
export const Physical = { boolean: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 } as const;

/** A group in the place of a physical type. */
const GROUP = -1;

/** `LogicalType` of the format; interval, which is a converted type only, under an id that the union does not use. */
const Logical = {
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

/** `FieldRepetitionType` of the format. */
const Repetition = { required: 0, optional: 1, repeated: 2 } as const;

export type Unit = 'ms' | 'us' | 'ns';
export const units: readonly Unit[] = ['ms', 'us', 'ns'];

/** Most groups of a type inside one another. */
export const MOST_DEPTH = 100;
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

/** A place in a type: a column, a field, the element of a list, the key or value of a map. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly nullable: boolean;
  /** −1: none. */
  readonly fieldId: number;
}

export interface ListType {
  readonly kind: 'list';
  readonly text: string;
  readonly element: Field;
}

export interface StructType {
  readonly kind: 'struct';
  readonly text: string;
  readonly fields: readonly Field[];
}

export interface MapType {
  readonly kind: 'map';
  readonly text: string;
  readonly key: Field;
  readonly value: Field;
}

export type Type = LeafType | ListType | StructType | MapType;

export function isLeaf(type: Type): type is LeafType {
  return type.kind !== 'list' && type.kind !== 'struct' && type.kind !== 'map';
}

function leaf(
  kind: Kind,
  physical: number,
  width: number,
  logical: number,
  more: Partial<LeafType> = {},
): LeafType {
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

function field(name: string, type: Type, nullable: boolean): Field {
  return { name, type, nullable, fieldId: -1 };
}

const placeText = ({ type, nullable }: Field) => (nullable ? type.text : `${type.text} not null`);

export function list(type: Type, nullable = true): ListType {
  const element = field('element', type, nullable);
  return { kind: 'list', text: `list<${placeText(element)}>`, element };
}

/** Names in the text of a struct that need no quotes. */
export const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/** A field's name as a type's text has it: a word, or quoted as in JSON. */
export function fieldText(name: string): string {
  WORD.lastIndex = 0;
  return WORD.exec(name)?.[0] === name ? name : JSON.stringify(name);
}

/** At least one field, no two of one name. */
export function struct(members: readonly { name: string; type: Type; nullable?: boolean }[]): StructType {
  const fields = members.map(({ name, type, nullable = true }) => field(name, type, nullable));
  const text = fields.map((member) => `${fieldText(member.name)}: ${placeText(member)}`).join(', ');
  return { kind: 'struct', text: `struct<${text}>`, fields };
}

export function map(keyType: Type, valueType: Type, nullable = true): MapType {
  const key = field('key', keyType, false);
  const value = field('value', valueType, nullable);
  return { kind: 'map', text: `map<${keyType.text}, ${placeText(value)}>`, key, value };
}

/** An element of the file's schema, as the module takes it. */
export interface ElementSetting {
  readonly name: string;
  readonly fieldId: number;
  readonly repetition: number;
  readonly children: number;
  readonly physical: number;
  readonly typeLength: number;
  readonly logical: number;
  readonly a: number;
  readonly b: number;
}

function group(name: string, repetition: number, children: number, logical: number, fieldId = -1): ElementSetting {
  return { name, fieldId, repetition, children, physical: GROUP, typeLength: 0, logical, a: 0, b: 0 };
}

/** The elements of a column, depth first. */
export function elementsOf(column: Field): ElementSetting[] {
  const { name, type, fieldId } = column;
  const repetition = column.nullable ? Repetition.optional : Repetition.required;
  switch (type.kind) {
    case 'list':
      return [
        group(name, repetition, 1, Logical.list, fieldId),
        group('list', Repetition.repeated, 1, Logical.none),
        ...elementsOf(type.element),
      ];
    case 'map':
      return [
        group(name, repetition, 1, Logical.map, fieldId),
        group('key_value', Repetition.repeated, 2, Logical.none),
        ...elementsOf(type.key),
        ...elementsOf(type.value),
      ];
    case 'struct':
      return [
        group(name, repetition, type.fields.length, Logical.none, fieldId),
        ...type.fields.flatMap(elementsOf),
      ];
    default: {
      const { physical, logical, a, b } = type;
      const typeLength = physical === Physical.fixed ? type.width : 0;
      return [{ name, fieldId, repetition, children: 0, physical, typeLength, logical, a, b }];
    }
  }
}

/** A step from a column's value down to the values of a leaf. */
export type Step =
  | { readonly kind: 'nullable' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'mapKey' }
  | { readonly kind: 'mapValue' };

/** A leaf of a column, and the way to it. */
export interface LeafPath {
  /** Names of the elements with dots between them: `tags.list.element`. */
  readonly path: string;
  readonly leaf: LeafType;
  readonly steps: readonly Step[];
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** The leaves of a column, depth first. */
export function leavesOf(column: Field): LeafPath[] {
  const leaves: LeafPath[] = [];
  const visit = ({ type, nullable }: Field, path: string, above: readonly Step[]): void => {
    const steps: Step[] = nullable ? [...above, { kind: 'nullable' }] : [...above];
    switch (type.kind) {
      case 'list':
        return visit(type.element, `${path}.list.element`, [...steps, { kind: 'list' }]);
      case 'map':
        visit(type.key, `${path}.key_value.key`, [...steps, { kind: 'mapKey' }]);
        return visit(type.value, `${path}.key_value.value`, [...steps, { kind: 'mapValue' }]);
      case 'struct':
        for (const member of type.fields) {
          visit(member, `${path}.${member.name}`, [...steps, { kind: 'field', name: member.name }]);
        }
        return;
      default: {
        const count = (counts: (kind: Step['kind']) => boolean) => steps.filter(({ kind }) => counts(kind)).length;
        const maxDefinition = count((kind) => kind !== 'field');
        const maxRepetition = count((kind) => kind !== 'field' && kind !== 'nullable');
        leaves.push({ path, leaf: type, steps, maxDefinition, maxRepetition });
      }
    }
  };
  visit(column, column.name, []);
  return leaves;
}

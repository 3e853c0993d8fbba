/** From Arrow types to the text of the Parquet type that their values are written as. */

import type { TypeSpec } from '../types.js';
import { type ArrowField, arrowName, type ArrowType, TypeId } from './field.js';

/** Why a type cannot be written; caught where all columns are looked at, so that one error names them all. */
export class Unsupported extends Error {}

const MOST_DIGITS = 38;
const units = ['ms', 'ms', 'us', 'ns'];

/** Extension types that Parquet has a type for, with the storage they need; others are written as their storage. */
const extensions: Readonly<Record<string, { type: TypeSpec; fits: (storage: ArrowType) => boolean }>> = {
  'arrow.uuid': { type: 'uuid', fits: ({ id, width }) => id === TypeId.fixedSizeBinary && width === 16 },
  'arrow.json': {
    type: 'json', fits: ({ id }) => id === TypeId.utf8 || id === TypeId.largeUtf8 || id === TypeId.utf8View,
  },
};

/** The text of a field's type. Throws `Unsupported`. */
export function typeText({ type, metadata }: ArrowField): TypeSpec {
  const extension = extensions[metadata.get('ARROW:extension:name') ?? ''];
  const storage = plainType(type);
  return extension?.fits(storage) === true ? extension.type : textOf(storage);
}

/** The type behind dictionary and run-end encoding. */
function plainType(type: ArrowType): ArrowType {
  let plain = type;
  for (;;) {
    if (plain.id === TypeId.dictionary && plain.values !== undefined) plain = plain.values;
    else if (plain.id === TypeId.runEndEncoded) plain = plain.children[1].type;
    else return plain;
  }
}

/** The text of a type without the name of an extension. Throws `Unsupported`. */
export function textOf(type: ArrowType): TypeSpec {
  switch (type.id) {
    case TypeId.null: return 'null';
    case TypeId.bool: return 'bool';
    case TypeId.int:
    case TypeId.float: return arrowName(type);
    case TypeId.utf8:
    case TypeId.largeUtf8:
    case TypeId.utf8View: return 'string';
    case TypeId.binary:
    case TypeId.largeBinary:
    case TypeId.binaryView: return 'binary';
    case TypeId.fixedSizeBinary:
      if (type.width === 0) throw new Unsupported('fixed_size_binary(0), which Parquet does not have');
      return `fixed[${type.width}]`;
    case TypeId.decimal: return decimal(type);
    case TypeId.date: return 'date';
    case TypeId.time: return `time[${units[type.unit]}]`;
    case TypeId.timestamp: return `timestamp[${units[type.unit]}${type.zone === undefined ? '' : ', UTC'}]`;
    case TypeId.duration: return 'int64';
    case TypeId.interval: return 'interval';
    case TypeId.list:
    case TypeId.largeList:
    case TypeId.listView:
    case TypeId.largeListView:
    case TypeId.fixedSizeList: return `list<${nested(type.children[0])}>`;
    case TypeId.struct: return struct(type.children);
    case TypeId.map: {
      const [key, value] = type.children[0].type.children;
      return `map<${typeText(key)}, ${nested(value)}>`;
    }
    case TypeId.dictionary:
    case TypeId.runEndEncoded: return textOf(plainType(type));
    default: throw new Unsupported(`${arrowName(type)}, which has no Parquet type`);
  }
}

function decimal(type: ArrowType): TypeSpec {
  const { precision, scale } = type;
  if (precision < 1 || precision > MOST_DIGITS || scale < 0 || scale > precision) {
    throw new Unsupported(`${arrowName(type)}; a decimal has 1 to ${MOST_DIGITS} digits and a scale from 0 to these`);
  }
  return `decimal(${precision}, ${scale})`;
}

function struct(fields: readonly ArrowField[]): TypeSpec {
  if (fields.length === 0) throw new Unsupported('a struct without fields, which Parquet cannot store');
  const seen = new Set<string>();
  const parts = fields.map((field) => {
    const name = /^[A-Za-z_]\w*$/.test(field.name) ? field.name : JSON.stringify(field.name);
    if (seen.has(name)) throw new Unsupported(`a struct with two fields ${name}`);
    seen.add(name);
    return `${name}: ${nested(field)}`;
  });
  return `struct<${parts.join(', ')}>`;
}

function nested(field: ArrowField): TypeSpec {
  return typeText(field) + (field.nullable ? '' : ' not null');
}

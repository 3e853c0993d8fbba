// A file's schema in the notation of column types, from what an independent reader finds in the footer.

import { parquetMetadata } from 'hyparquet';

const units = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' };
const numbers = {
  BOOLEAN: 'bool',
  INT32: 'int32',
  INT64: 'int64',
  INT96: 'int96',
  FLOAT: 'float32',
  DOUBLE: 'float64',
};

function leafText({ type, type_length: length, converted_type: converted, logical_type: logical }) {
  if (converted === 'INTERVAL') return 'interval';
  switch (logical?.type) {
    case undefined:
      if (type === 'BYTE_ARRAY') return 'binary';
      return type === 'FIXED_LEN_BYTE_ARRAY' ? `fixed[${length}]` : numbers[type];
    case 'INTEGER':
      return `${logical.isSigned ? '' : 'u'}int${logical.bitWidth}`;
    case 'DECIMAL':
      return `decimal(${logical.precision}, ${logical.scale})`;
    case 'TIME':
    case 'TIMESTAMP':
      return `${logical.type.toLowerCase()}[${units[logical.unit]}${logical.isAdjustedToUTC ? ', UTC' : ''}]`;
    default:
      return logical.type.toLowerCase();
  }
}

const nameText = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** Text and nullability of the element at `at`, and the place of the next that is not inside of it. */
function read(elements, at) {
  const element = elements[at];
  const nullable = element.repetition_type === 'OPTIONAL';
  const { num_children: children, logical_type: logical } = element;
  if (children === undefined) return { text: leafText(element), nullable, next: at + 1 };
  const place = ({ text, nullable: mayBeNull }) => (mayBeNull ? text : `${text} not null`);
  if (logical?.type === 'LIST') {
    const inner = read(elements, at + 2);
    return { text: `list<${place(inner)}>`, nullable, next: inner.next };
  }
  if (logical?.type === 'MAP') {
    const key = read(elements, at + 2);
    const value = read(elements, key.next);
    return { text: `map<${key.text}, ${place(value)}>`, nullable, next: value.next };
  }
  const fields = [];
  let next = at + 1;
  for (let index = 0; index < children; index++) {
    const inner = read(elements, next);
    fields.push(`${nameText(elements[next].name)}: ${place(inner)}`);
    ({ next } = inner);
  }
  return { text: `struct<${fields.join(', ')}>`, nullable, next };
}

/** By column name: the type's text, and whether the column may hold nulls. */
export function typesOf(bytes) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const elements = parquetMetadata(file).schema;
  const columns = new Map();
  for (let at = 1; at < elements.length;) {
    const { text, nullable, next } = read(elements, at);
    columns.set(elements[at].name, { text, nullable });
    at = next;
  }
  return columns;
}

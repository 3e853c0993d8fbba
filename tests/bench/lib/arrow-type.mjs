import * as arrow from 'apache-arrow';

const leaves = {
  int32: () => new arrow.Int32(),
  int64: () => new arrow.Int64(),
  float64: () => new arrow.Float64(),
  bool: () => new arrow.Bool(),
  utf8: () => new arrow.Utf8(),
  date32: () => new arrow.DateDay(),
  timestamp_ms: () => new arrow.TimestampMillisecond(),
  timestamp_us: () => new arrow.TimestampMicrosecond(),
};

/** The Arrow type of a column's type; list items and map values may be null, as most writers declare them. */
export function arrowType(type) {
  if (type in leaves) return leaves[type]();
  if (type.list) return new arrow.List(new arrow.Field('element', arrowType(type.list), true));
  if (type.struct) {
    const fields = type.struct.map((field) => new arrow.Field(field.name, arrowType(field.type), field.nullable));
    return new arrow.Struct(fields);
  }
  const [key, value] = type.map.map(arrowType);
  const entry = new arrow.Struct([new arrow.Field('key', key, false), new arrow.Field('value', value, true)]);
  return new arrow.Map_(new arrow.Field('entries', entry, false));
}

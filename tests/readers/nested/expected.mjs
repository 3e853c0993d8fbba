// Values as JSON that says all of them exactly; nested_oracle.py makes the same of what a reader finds.

const floats = new DataView(new ArrayBuffer(8));

function floatText(value, bits) {
  if (Number.isNaN(value)) return 'nan';
  if (bits === 32) floats.setFloat32(0, value);
  else floats.setFloat64(0, value);
  return Buffer.from(floats.buffer, 0, bits / 8).toString('hex');
}

/** null, true, false, lists (of pairs for maps and structs); texts for all other leaves. */
export function expected({ type }, value) {
  if (value === null) return null;
  switch (type.kind) {
    case 'list':
      return value.map((element) => expected(type.element, element));
    case 'map':
      return value.map(([key, inner]) => [expected(type.key, key), expected(type.value, inner)]);
    case 'struct':
      // A list too: names such as __proto__ are no keys for JSON on either side.
      return type.fields.map((field) => [field.name, expected(field, value.get(field.name))]);
    case 'bool':
      return value;
    case 'string':
      return `s${value}`;
    case 'binary':
      return `b${Buffer.from(value).toString('hex')}`;
    case 'float32':
      return `f${floatText(value, 32)}`;
    case 'float64':
      return `f${floatText(value, 64)}`;
    default:
      return `i${value}`;
  }
}

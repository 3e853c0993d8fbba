/** The reader for each form of data and kind of type. */

import { Form } from '../input/lanes.js';
import { isByteString, isNumeric } from '../input/leaf.js';
import type { Shape } from '../input/shape.js';
import { formOf } from '../input/typed.js';
import type { LeafType } from '../schema.js';
import { BitsReader, BytesReader } from './bytes-reader.js';
import { DecimalReader } from './decimal.js';
import { ConvertingReader, PlainReader } from './plain-reader.js';
import type { SlotReader } from './reader.js';

/** The reader for a form of data; undefined where it cannot hold values of the type. */
export function leafReader(
  shape: Shape & { form: 'typed' | 'bits' | 'offsets' | 'fixed' },
  type: LeafType,
  column: string,
): SlotReader | undefined {
  switch (shape.form) {
    case 'bits':
      return type.kind === 'bool' ? new BitsReader(shape.values, column) : undefined;
    case 'offsets':
      return isByteString(type) ? new BytesReader(shape.offsets, shape.values, column) : undefined;
    case 'fixed':
      if (type.kind === 'decimal') return new DecimalReader(shape.values, shape.width, type, column);
      return type.width === shape.width
        ? new PlainReader(shape.values, shape.width, Form.plain, type, column)
        : undefined;
    case 'typed': {
      const { values } = shape;
      const form = formOf(shape.name, type);
      if (form !== undefined) return new PlainReader(values, values.BYTES_PER_ELEMENT, form, type, column);
      return isNumeric(type) ? new ConvertingReader(values, type, column) : undefined;
    }
  }
}

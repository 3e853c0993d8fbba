/** Where the rows of a leaf come from in one batch of many. */

import { flatSource, valuesSource } from '../input/leaf.js';
import { type Lanes, Nulls } from '../input/lanes.js';
import type { FlatShape, Shape } from '../input/shape.js';
import { PlainSource, type Source } from '../input/source.js';
import { formOf } from '../input/typed.js';
import { nestedSource } from '../nested/compile.js';
import { type Field, isLeaf, type LeafPath, type LeafType } from '../schema.js';
import { PackedBitsSource, PackedSource } from './dense.js';

/**
 * A source that goes on where the batch before it ended, in the middle of a page too: so it must lay out rows as that
 * one did, whether or not either of them has nulls.
 */
export function streamSource(shape: Shape, field: Field, leaf: LeafPath): Source {
  const { name, type, nullable } = field;
  if (isLeaf(type)) {
    if (shape.form === 'array') return valuesSource(shape.values, shape.rows, type, nullable, name);
    if (shape.form === 'bits' && type.kind === 'bool' && (nullable || shape.validity === undefined)) {
      return new PackedBitsSource(shape.values, shape.rows, shape.validity, nullable, name);
    }
    if (shape.form === 'typed' && shape.validity !== undefined && nullable) {
      return packed(shape, type, shape.validity, name);
    }
    if (isWhole(shape)) {
      const source = flatSource(shape, type, false, name);
      return nullable ? new PresentSource(source) : source;
    }
  }
  return nestedSource(shape, field, leaf, true);
}

/** Values with a bitmap, taken as they are or converted. */
function packed(shape: FlatShape & { form: 'typed' }, type: LeafType, validity: Uint8Array, column: string): Source {
  const form = formOf(shape.name, type);
  if (form === undefined) return flatSource(shape, type, true, column);
  return new PackedSource(shape.values, shape.rows, validity, form, type.width, column);
}

/** Data that is copied in runs. */
function isWhole(shape: Shape): shape is FlatShape {
  return (shape.form === 'typed' || shape.form === 'offsets') && shape.validity === undefined;
}

/** Rows that are all there, in a column that may have nulls in other batches. */
class PresentSource extends PlainSource {
  readonly #source: Source;

  constructor(source: Source) {
    super(source.rows, source.form, Nulls.dense);
    this.#source = source;
  }

  fill(lanes: Lanes, from: number, to: number, bytes: number): number {
    lanes.setValid(to - from);
    return this.#source.fill(lanes, from, to, bytes);
  }

  plainBytes(from: number, to: number): number {
    return this.#source.plainBytes(from, to);
  }
}

/** Copies of a batch that has to wait: the caller may change its arrays as soon as the call is made. */

import { isBuffer, isMap, isPlainObject, timeOf, typedArrayName } from '../input/views.js';
import type { Shape } from '../input/shape.js';
import type { Offsets } from '../input/offsets.js';
import type { Table } from '../table.js';
import type { TypedArray } from '../types.js';

export function snapshotOf(table: Table): Table {
  return new Snapshot().table(table);
}

/** A copy of an array of values that shares nothing that can be changed with it. */
export function copyOfValues(values: readonly unknown[]): readonly unknown[] {
  return new Snapshot().values(values);
}

export class Snapshot {
  /** What is shared stays shared, and circles stay circles. */
  readonly #shapes = new Map<Shape, Shape>();
  readonly #objects = new Map<object, unknown>();

  table({ columns, ...table }: Table): Table {
    return { columns: columns.map((column) => ({ ...column, shape: this.shape(column.shape) })), ...table };
  }

  shape(given: Shape): Shape {
    let copy = this.#shapes.get(given);
    if (copy === undefined) this.#shapes.set(given, (copy = this.#copy(given)));
    return copy;
  }

  #copy(shape: Shape): Shape {
    const { rows } = shape;
    if (shape.form === 'array') return { ...shape, values: this.values(shape.values) };
    if (shape.form === 'nulls') return shape;
    if (shape.form === 'pieces') return { ...shape, pieces: shape.pieces.map((piece) => this.shape(piece)) };
    const validity = shape.validity && this.cut(shape.validity, 0, (rows + 7) >>> 3);
    switch (shape.form) {
      case 'typed':
        return { ...shape, validity, values: this.cut(shape.values, 0, rows) };
      case 'bits':
        return { ...shape, validity, values: this.cut(shape.values, 0, (rows + 7) >>> 3) };
      case 'fixed':
        return { ...shape, validity, values: this.cut(shape.values, 0, rows * shape.width) };
      case 'offsets': {
        const [start, end] = [shape.offsets[0], shape.offsets[rows]].map(Number);
        const offsets = rebased(this.cut(shape.offsets, 0, rows + 1), start);
        return { ...shape, validity, offsets, values: this.cut(shape.values, start, end) };
      }
      case 'dictionary':
        return { ...shape, validity, indices: this.cut(shape.indices, 0, rows), dictionary: this.shape(shape.dictionary) };
      case 'list':
        return { ...shape, validity, offsets: this.cut(shape.offsets, 0, rows + 1), child: this.shape(shape.child) };
      case 'struct': {
        const children = [...shape.children].map(([name, child]) => [name, this.shape(child)] as const);
        return { ...shape, validity, children: new Map(children) };
      }
    }
  }

  /** A part of an array that nobody else will change. */
  protected cut<Values extends TypedArray>(values: Values, from: number, to: number): Values {
    return values.slice(from, to) as Values;
  }

  values(values: readonly unknown[]): readonly unknown[] {
    const copy = values.slice();
    for (let index = 0; index < copy.length; index++) {
      const value = copy[index];
      if (typeof value === 'object' && value !== null) copy[index] = this.#value(value);
      else copy[index] = this.other(value);
    }
    return copy;
  }

  /** Instances of classes, Temporal's among them, are taken to be values that nobody changes. */
  protected instance(value: object): unknown {
    return value;
  }

  /** What is no object. */
  protected other(value: unknown): unknown {
    return value;
  }

  #value(value: object): unknown {
    let copy = this.#objects.get(value);
    if (copy !== undefined) return copy;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      this.#objects.set(value, list);
      for (const item of value) list.push(this.#any(item));
      return list;
    }
    if (isMap(value)) {
      const map = new Map<unknown, unknown>();
      this.#objects.set(value, map);
      Map.prototype.forEach.call(value, (item: unknown, key: unknown) => map.set(this.#any(key), this.#any(item)));
      return map;
    }
    copy = bytesOrTime(value);
    if (copy === undefined && isPlainObject(value)) return this.#object(value);
    this.#objects.set(value, (copy ??= this.instance(value)));
    return copy;
  }

  #object(value: object): object {
    const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
    this.#objects.set(value, copy);
    for (const [key, item] of Object.entries(value)) {
      // A key may be __proto__.
      Object.defineProperty(copy, key, { value: this.#any(item), enumerable: true, writable: true, configurable: true });
    }
    return copy;
  }

  #any(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? this.#value(value) : this.other(value);
  }
}

function bytesOrTime(value: object): object | undefined {
  if (typedArrayName(value) !== undefined) return (value as TypedArray).slice();
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return new DataView(buffer.slice(byteOffset, byteOffset + byteLength));
  }
  if (isBuffer(value)) return value.slice(0);
  const time = timeOf(value);
  return time === undefined ? undefined : new Date(time);
}

/** Offsets from `start` on as offsets from 0 on. */
function rebased(offsets: Offsets, start: number): Offsets {
  if (start === 0) return offsets;
  if (offsets instanceof BigInt64Array) return offsets.map((offset) => offset - BigInt(start));
  return offsets.map((offset) => offset - start);
}

/** From a column as given to a column as written: its elements, and for each leaf where its rows come from. */

import { columnError, valueError } from './errors.js';
import { inferArray, typesOfArrays } from './infer.js';
import { flatSource } from './input/leaf.js';
import { isFlat, type Shape } from './input/shape.js';
import type { Source } from './input/source.js';
import { firstNullOf } from './nested/nulls.js';
import { type ColumnChoice, encodingFits, encodingName, type FileOptions, type LeafOptions, settle } from './options.js';
import { nested } from './parts.js';
import {
  type ElementSetting,
  elementsOf,
  type Field,
  isLeaf,
  type LeafPath,
  type LeafType,
  leavesOf,
  Physical,
  list,
  plainTypes,
  struct,
  type Type,
} from './schema.js';
import type { GivenColumn } from './table.js';

/** What becomes a column chunk in every row group. */
export interface ReadyLeaf {
  readonly path: string;
  readonly type: LeafType;
  /** Definition level of a value. */
  readonly maxDefinition: number;
  readonly options: LeafOptions;
  readonly source: Source;
}

export interface ReadyColumn {
  readonly name: string;
  readonly elements: readonly ElementSetting[];
  readonly leaves: readonly ReadyLeaf[];
}

/**
 * Settles one column; looks at all rows of an array. Paths of `options.columns` that apply to it are put into `used`.
 * Errors: ERR_TYPE_MISMATCH, ERR_SCHEMA, ERR_NULL, ERR_OPTION.
 */
export function* readyColumn(
  given: GivenColumn,
  options: FileOptions,
  used: Set<string>,
): Generator<void, ReadyColumn> {
  const { name, shape, fieldId } = given;
  const { type, firstNull } = yield* typeAndNulls(given);
  const declared = given.nullable ?? (firstNull >= 0 || ('validity' in shape && shape.validity !== undefined));
  // Rows of the type null can be nothing else.
  const nullable = declared || (type.kind === 'null' && given.nullable === undefined);
  if (!nullable && firstNull >= 0) throw valueError('ERR_NULL', name, firstNull, `${type.text}, not nullable`, null);
  const column: Field = { name, type, nullable, fieldId };
  const leaves = leavesOf(column).map((leaf): ReadyLeaf => {
    const source =
      isLeaf(type) && isFlat(shape)
        ? flatSource(shape, type, firstNull >= 0, name)
        : nested.get().nestedSource(shape, column, leaf, given.type !== undefined);
    const { path, maxDefinition } = leaf;
    return { path, type: leaf.leaf, maxDefinition, options: leafOptions(given, leaf, options, used), source };
  });
  return { name, elements: elementsOf(column), leaves };
}

/** What holds for a leaf. Paths of `options.columns` that apply to it are put into `used`. Errors: ERR_OPTION. */
export function leafOptions(
  { name, choice }: GivenColumn,
  leaf: LeafPath,
  options: FileOptions,
  used: Set<string>,
): LeafOptions {
  const choices: (ColumnChoice | undefined)[] = [options.all, choice];
  for (const path of pathsTo(name, leaf)) {
    if (options.columns.has(path)) used.add(path);
    choices.push(options.columns.get(path));
  }
  const settled = settle(
    choices.filter((one) => one !== undefined),
    leaf.path,
    options.codecs,
  );
  const { kind, physical } = leaf.leaf;
  const place = leaf.path === name ? '' : `${leaf.path}: `;
  if (!encodingFits(settled.encoding, physical)) {
    throw columnError('ERR_OPTION', name, undefined, `${place}${kind} cannot be ${encodingName(settled.encoding)}`);
  }
  // Lookups in float16 and in decimals of fixed bytes lose rows in readers of today.
  if (settled.bloomFpp > 0 && (kind === 'bool' || kind === 'float16' || (kind === 'decimal' && physical === Physical.fixed))) {
    throw columnError('ERR_OPTION', name, undefined, `${place}${leaf.leaf.text} cannot have a Bloom filter`);
  }
  return settled;
}

/** Paths of the column, of each group on the way, and of the leaf. */
function pathsTo(name: string, { steps }: LeafPath): string[] {
  const paths = [name];
  let path = name;
  const enter = (element: string) => paths.push((path = `${path}.${element}`));
  for (const step of steps) {
    switch (step.kind) {
      case 'nullable':
        break;
      case 'field':
        enter(step.name);
        break;
      case 'list':
        enter('list');
        enter('element');
        break;
      default:
        enter('key_value');
        enter(step.kind === 'mapKey' ? 'key' : 'value');
    }
  }
  return paths;
}

function* typeAndNulls({ name, shape, type }: GivenColumn): Generator<void, { type: Type; firstNull: number }> {
  if (type === undefined && shape.form === 'array') return yield* inferArray(shape.values, shape.rows, name);
  return { type: type ?? (yield* inferShape(shape, name)), firstNull: yield* firstNullOf(shape) };
}

/** The type of data in an object form; what is inside other data may be null, as in the text of types. */
export function* inferShape(shape: Shape, name: string): Generator<void, Type> {
  switch (shape.form) {
    case 'array':
      return (yield* inferArray(shape.values, shape.rows, name)).type;
    case 'typed':
      return typesOfArrays[shape.name];
    case 'bits':
      return plainTypes.bool;
    case 'dictionary':
      return yield* inferShape(shape.dictionary, name);
    case 'list':
      return list(yield* inferShape(shape.child, name));
    case 'struct': {
      const fields: { name: string; type: Type }[] = [];
      for (const [field, child] of shape.children) fields.push({ name: field, type: yield* inferShape(child, name) });
      if (fields.length > 0) return struct(fields);
      throw columnError('ERR_SCHEMA', name, undefined, 'a struct needs at least one field');
    }
    default:
      return plainTypes.binary;
  }
}

/** Column types: trees of lists, structs and maps with leaves, and how they stand in the file's schema. */

import { type LeafType, Logical, Physical } from './leaf-type.js';

export * from './leaf-type.js';

/** A group in the place of a physical type. */
const GROUP = -1;

/** `FieldRepetitionType` of the format. */
const Repetition = { required: 0, optional: 1, repeated: 2 } as const;

/** Most groups of a type inside one another. */
export const MOST_DEPTH = 100;

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
      return [group(name, repetition, type.fields.length, Logical.none, fieldId), ...type.fields.flatMap(elementsOf)];
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

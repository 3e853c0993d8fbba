/** The schema of a file as `SchemaSpec`, so that rows can be encoded as the file has them. */

import { columnError, type ParquetError } from '../errors.js';
import type { SchemaSpec } from '../types.js';
import { pathOf, type SchemaElement } from './elements.js';

const REQUIRED = 0;
const OPTIONAL = 1;
const REPEATED = 2;

/** Errors: ERR_SCHEMA for a column of a type or shape that is not written here. */
export function schemaSpec(elements: readonly SchemaElement[]): SchemaSpec {
  const inside = new Map<SchemaElement | undefined, SchemaElement[]>();
  for (const element of elements) {
    const siblings = inside.get(element.parent);
    if (siblings === undefined) inside.set(element.parent, [element]);
    else siblings.push(element);
  }
  const childrenOf = (element: SchemaElement) => inside.get(element) ?? [];

  const typeOf = (element: SchemaElement): string => {
    const { text, physical } = element;
    if (physical >= 0) return text.replace(/ in \d+ bytes$/, '');
    const children = childrenOf(element);
    if (text === 'group') return `struct<${children.map((child) => `${JSON.stringify(child.name)}: ${placeOf(child)}`).join(', ')}>`;
    const [middle] = children;
    const leaves = middle === undefined ? [] : childrenOf(middle);
    if (children.length === 1 && middle.repetition === REPEATED && middle.text === 'group') {
      const names = [middle, ...leaves].map(({ name }) => name).join(' ');
      if (text === 'LIST' && names === 'list element') return `list<${placeOf(leaves[0])}>`;
      if (text === 'MAP' && names === 'key_value key value' && leaves[0].repetition === REQUIRED) {
        return `map<${typeOf(leaves[0])}, ${placeOf(leaves[1])}>`;
      }
    }
    throw foreign(element);
  };

  const placeOf = (element: SchemaElement): string => {
    if (element.repetition === REPEATED) throw foreign(element);
    return element.repetition === OPTIONAL ? typeOf(element) : `${typeOf(element)} not null`;
  };

  return Object.fromEntries(
    childrenOf(elements[0]).map((element) => {
      const { name, repetition, fieldId } = element;
      if (repetition === REPEATED) throw foreign(element);
      const type = typeOf(element);
      return [name, { type, nullable: repetition === OPTIONAL, ...(fieldId >= 0 ? { fieldId } : {}) }];
    }),
  );
}

function foreign(element: SchemaElement): ParquetError {
  return columnError('ERR_SCHEMA', pathOf(element), undefined, `a column of this form (${element.text}) is not written here`);
}

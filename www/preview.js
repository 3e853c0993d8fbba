/** The first rows of a table, with a choice of type over each column. */

import { inferColumn, TYPES } from './column.js';
import { element, formatCount } from './format.js';

const ROWS = 10;
const KIND_NAMES = { text: 'text', number: 'numbers', boolean: 'booleans', list: 'lists', object: 'objects' };

/** Fills the table element; `chosen()` then gives a TypeSpec for every column. A table's own types cannot be changed. */
export function showPreview(root, table) {
  const inferred = table.types?.map((type) => ({ type, kinds: ['number'] }))
    ?? table.columns.map((cells) => inferColumn(cells, table.fromText));
  const isFixed = table.types !== undefined;
  const selects = table.names.map((name, place) => typeSelect(name, inferred[place].type, isFixed));
  const heads = table.names.map((name, place) => element('th', { scope: 'col' }, [
    element('span', { className: 'name', title: name }, [name]),
    selects[place],
    ...kindsNote(inferred[place].kinds),
  ]));
  const isNumber = inferred.map(({ type }) => /^(u?int|float)/.test(type));
  const rows = Array.from({ length: Math.min(ROWS, table.rows) }, (_, row) => element('tr', {}, [
    element('th', { scope: 'row' }, [formatCount(row)]),
    ...table.columns.map((cells, place) => cellOf(cells[row], isNumber[place])),
  ]));
  root.replaceChildren(
    element('thead', {}, [element('tr', {}, [element('td', { className: 'corner' }), ...heads])]),
    element('tbody', {}, rows),
  );
  return {
    chosen: () => selects.map((select, place) => select.value || inferred[place].type),
    mark(column) {
      heads.forEach((head, place) => head.classList.toggle('wrong', table.names[place] === column));
      heads[table.names.indexOf(column)]?.scrollIntoView({ block: 'nearest', inline: 'center' });
    },
    shownRows: rows.length,
  };
}

function typeSelect(name, inferredType, isFixed) {
  const select = element('select', {}, [
    element('option', { value: '' }, [isFixed ? inferredType : `auto: ${inferredType}`]),
    ...TYPES.map((type) => element('option', { value: type }, [type])),
  ]);
  select.disabled = isFixed;
  select.setAttribute('aria-label', `Type of ${name}`);
  select.addEventListener('change', () => select.classList.toggle('chosen', select.value !== ''));
  return select;
}

function kindsNote(kinds) {
  if (kinds.length > 1) return [element('span', { className: 'kinds' }, [kinds.map((kind) => KIND_NAMES[kind]).join(' and ')])];
  if (kinds[0] === 'list' || kinds[0] === 'object') return [element('span', { className: 'kinds' }, ['as JSON text'])];
  return [];
}

function cellOf(cell, isNumber) {
  const isNull = cell === null || cell === undefined;
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
  const made = element('td', { title: text.length > 40 ? text : '' }, [isNull ? 'null' : text]);
  made.classList.toggle('null', isNull);
  made.classList.toggle('number', isNumber);
  return made;
}

/**
 * JavaScript columns → Arrow JS table, in two ways.
 *
 * arrowTable      as the documentation of Arrow JS shows it: vectorFromArray with an explicit type
 * arrowTableFast  hand-written loops, the fastest that we found: validity and values straight into typed arrays,
 *                 strings joined and encoded in blocks, strings of few values as Arrow dictionaries (on request)
 *
 * Both take typed arrays without a copy.
 */
import * as arrow from 'apache-arrow';
import { arrowColumnFast, typedColumn } from './arrow-column.mjs';
import { arrowType } from './arrow-type.mjs';

function tableOf({ columns, rows }, convert) {
  const children = columns.map(convert);
  const fields = columns.map(({ name, nullable }, i) => new arrow.Field(name, children[i].type, nullable));
  const schema = new arrow.Schema(fields);
  const struct = arrow.makeData({ type: new arrow.Struct(fields), length: rows, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

export function arrowTable(table) {
  return tableOf(table, ({ type, data }) => {
    if (ArrayBuffer.isView(data)) return typedColumn(arrowType(type), data);
    // Arrow JS takes maps only as Map
    const values = type.map ? data.map((entries) => new Map(entries)) : data;
    return arrow.vectorFromArray(values, arrowType(type)).data[0];
  });
}

export function arrowTableFast(table, { dictionaries = false } = {}) {
  return tableOf(table, ({ type, data }) => arrowColumnFast(type, data, dictionaries));
}

import { pivot } from '../tables/rows.mjs';

/** One write by a contender; row objects become columns here, as part of the write, when it takes no rows. */
export function writeTable(contender, table, options) {
  if (!table.objects) return contender.write(table, options);
  return contender.writeRows ? contender.writeRows(table, options) : contender.write(pivot(table), options);
}

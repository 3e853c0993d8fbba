/** What columns need whose values are neither plain numbers, bools, strings nor bytes, and the text of types. */

import type { LeafType } from '../schema.js';
import type { Cell } from './cell.js';
import { DecimalCell, WideDecimalCell } from './decimal.js';
import { FixedCell } from './fixed.js';
import { Int96Cell } from './int96.js';
import { IntervalCell } from './interval.js';
import { DateCell, TimeCell, TimestampCell } from './temporal.js';
import { UuidCell } from './uuid.js';

export { parseType } from '../type-text.js';
export { JsonSource } from './json.js';

/** The cell for a type of fixed width that is no plain number. */
export function cellFor(type: LeafType, column: string): Cell {
  switch (type.kind) {
    case 'date':
      return new DateCell(type, column);
    case 'timestamp':
      return new TimestampCell(type, column);
    case 'time':
      return new TimeCell(type, column);
    case 'int96':
      return new Int96Cell(type, column);
    case 'interval':
      return new IntervalCell(type, column);
    case 'decimal':
      return type.width > 8 ? new WideDecimalCell(type, column) : new DecimalCell(type, column);
    case 'uuid':
      return new UuidCell(type, column);
    default:
      return new FixedCell(type, column);
  }
}

/** Arrow input: IPC bytes, and tables of Arrow libraries. */

export { shapeOfArrow } from '../input/arrow-shape.js';
export { columnFromVector, columnsFromArrow } from './duck.js';
export { tableFromArrowIPC } from './ipc.js';
export {
  type ArrowColumn, ArrowTable, type BitsChunk, type BytesChunk, type Chunk, type DictionaryChunk, type FixedChunk,
  type Indices, isArrowTable, type ListChunk, type NullChunk, type Offsets, type StructChunk, type Validity,
  type ValuesChunk,
} from './table.js';
export type { ArrowField, ArrowType } from './field.js';

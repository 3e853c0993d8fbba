/** Drives the module: row groups, column chunks, pages, one small step at a time. */

import type { WasmWriter } from '#wasm';
import { type ReadyColumn, readyColumn, type ReadyLeaf } from './column.js';
import { withArrowSchema } from './arrow-schema.js';
import { type CoreContext, coreError, isTrap } from './core-error.js';
import { ParquetError } from './errors.js';
import { Form, Lanes, Nulls } from './input/lanes.js';
import type { Source } from './input/source.js';
import type { Core } from './module.js';
import { pack } from './settings.js';
import { refuse } from './option-reader.js';
import { EXTERNAL, type FileOptions, type Sorting } from './options.js';
import { ownCodecs } from './parts.js';
import { rowGroupEnd } from './row-group.js';
import type { CoreSink } from './sink/sink.js';
import type { Table } from './table.js';

/** A sample is one in so many rows, at least and at most so many, in as many slices of whole bytes of a bitmap. */
const SAMPLE_SHARE = 32;
const LEAST_SAMPLE_ROWS = 1 << 10;
const MOST_SAMPLE_ROWS = 1 << 14;
const SAMPLE_SLICES = 8;
/** In place of a column: the rows are a sample. */
const SAMPLE = -1;
/** Most bytes of a sample, where values have no fixed width. */
const SAMPLE_BYTES = 1 << 19;

export class Encoder {
  /** Rows done, and the file's bytes that are settled. */
  rows = 0;
  bytes = 0;
  /** The module's instance cannot be trusted any more. */
  lost = false;
  readonly #table: Table;
  readonly #options: FileOptions;
  readonly #core: Core;
  readonly #sink: CoreSink & { readonly thrown: unknown };
  /** What an error of the module is about. */
  readonly #context: CoreContext = { leaves: [], elements: [], leaf: undefined, row: 0, groupRow: 0 };

  constructor(table: Table, options: FileOptions, core: Core, sink: CoreSink & { readonly thrown: unknown }) {
    this.#table = table;
    this.#options = options;
    this.#core = core;
    this.#sink = sink;
  }

  /**
   * Writes the whole file. Stops wherever other work may go first, with true behind every row group. However it ends,
   * the module's memory is free again.
   */
  *run(): Generator<boolean, void> {
    let writer: WasmWriter | undefined;
    try {
      const columns = yield* this.#readyColumns();
      writer = new this.#core.WasmWriter(...settings(columns, this.#table, this.#options, this.#core.memory, this.#sink));
      yield* this.#rowGroups(
        writer,
        columns.flatMap(({ leaves }) => leaves),
      );
      writer.finish();
      this.bytes = writer.position();
    } catch (error) {
      this.lost = isTrap(error);
      throw coreError(error, this.#context, this.#sink.thrown);
    } finally {
      if (!this.lost) this.lost = !free(writer);
    }
  }

  *#readyColumns(): Generator<boolean, ReadyColumn[]> {
    const columns: ReadyColumn[] = [];
    const used = new Set<string>();
    for (const given of this.#table.columns) {
      const steps = readyColumn(given, this.#options, used);
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield false;
      columns.push(step.value);
    }
    const unused = [...this.#options.columns.keys()].find((path) => !used.has(path));
    if (unused !== undefined) {
      throw new ParquetError('ERR_OPTION', `option columns: nothing has the path ${JSON.stringify(unused)}`);
    }
    this.#context.leaves = columns.flatMap(({ name, leaves }) => leaves.map(() => name));
    this.#context.elements = columns.flatMap(({ name, elements }) => elements.map(() => name));
    return columns;
  }

  *#rowGroups(writer: WasmWriter, leaves: readonly ReadyLeaf[]): Generator<boolean, void> {
    const { rows } = this.#table;
    const lanes = new Lanes(writer, this.#core.memory);
    for (let start = 0; start < rows;) {
      const end = yield* rowGroupEnd(leaves, start, rows, this.#options);
      this.#context.groupRow = start;
      writer.begin_row_group(end - start);
      for (let leaf = 0; leaf < leaves.length; leaf++) {
        this.#context.leaf = leaf;
        for (const row of this.#chunk(writer, lanes, leaf, leaves[leaf], start, end)) {
          const done = leaf * (end - start) + row - start;
          this.rows = start + Math.floor(done / leaves.length);
          yield false;
        }
      }
      this.#context.leaf = undefined;
      writer.end_row_group();
      this.rows = end;
      this.bytes = writer.position();
      yield true;
      start = end;
    }
  }

  /** One leaf's part of a row group; stops behind each push with the first row that is not in it. */
  *#chunk(
    writer: WasmWriter,
    lanes: Lanes,
    leaf: number,
    { source, options, type, maxDefinition }: ReadyLeaf,
    start: number,
    end: number,
  ): Generator<number, void> {
    writer.begin_chunk(leaf);
    const sampled = type.kind !== 'bool' && type.kind !== 'null';
    const sampling = sampled && options.encoding < 0 && (options.dictionary || this.#options.modern);
    source.begin(sampling);
    // A sample of all rows need not be filled again.
    let filled = sampling && sample(writer, lanes, source, start, end);
    const pageRows = writer.page_rows(leaf);
    // What lies under nulls fills lanes, but no page: where nothing was taken, twice as much is shown next.
    let share = 1;
    if (!filled) lanes.clear();
    for (let row = start; row < end;) {
      this.#context.row = filled ? start : row - lanes.rows;
      const most = Math.min(end, row + pageRows - lanes.rows);
      row = filled ? end : source.fill(lanes, row, most, writer.page_bytes() * share);
      filled = false;
      const { form, nulls } = source;
      const left = writer.push(
        leaf,
        lanes.rows,
        form,
        nulls,
        lanes.validityBit,
        lanes.valuesBit,
        source.newEntries,
        row === end,
        lanes.entries,
      );
      const closed = form === Form.codes && !writer.dictionary_open();
      if (closed) source.dictionaryClosed();
      if (left > 0 && (closed || source.refills)) {
        share = left < lanes.rows ? 1 : share * 2;
        row -= left;
        lanes.clear();
      } else if (nulls === Nulls.definition || nulls === Nulls.levels) {
        lanes.keepLevels(left, writer.carried_entries(), maxDefinition, writer.carried_bytes());
      } else {
        lanes.keep(left, nulls === Nulls.dense, writer.carried_bytes());
      }
      yield row;
    }
    writer.end_chunk();
  }
}

/**
 * Shows the module rows from all over the chunk, so that it chooses the encoding once, before the first page. True when
 * the lanes hold all rows as they will be written.
 */
function sample(writer: WasmWriter, lanes: Lanes, source: Source, start: number, end: number): boolean {
  lanes.clear();
  const rows = end - start;
  const most = Math.max(LEAST_SAMPLE_ROWS, Math.min(rows / SAMPLE_SHARE, MOST_SAMPLE_ROWS));
  let scattered = 0;
  if (rows <= most) {
    source.fill(lanes, start, end, SAMPLE_BYTES);
  } else {
    fillSlices(lanes, source, start, rows, most >> 5, 8);
    scattered = lanes.rows;
    fillSlices(lanes, source, start, rows, SAMPLE_SLICES, (most >> 6) * 8);
  }
  const { form, nulls } = source;
  writer.push(SAMPLE, lanes.rows, form, nulls, lanes.validityBit, lanes.valuesBit, scattered, false, lanes.entries);
  source.sampled(writer.dictionary_open());
  return rows <= most && lanes.rows === rows && form !== Form.codes && source.form === form;
}

/** Fills slices of `length` rows, a multiple of 8, from all over. Rows have any size: each has its share of bytes. */
function fillSlices(lanes: Lanes, source: Source, start: number, rows: number, slices: number, length: number): void {
  const share = SAMPLE_BYTES / slices;
  let bytes = lanes.bytes;
  for (let slice = 0; slice < slices; slice++) {
    const from = Math.ceil((start + (slice * rows) / slices) / 8) * 8;
    source.fill(lanes, from, Math.min(from + length, start + rows), (bytes += share));
  }
}

/** A column as far as it does not matter where its rows come from. */
export interface SettledColumn {
  readonly elements: ReadyColumn['elements'];
  readonly leaves: readonly Pick<ReadyLeaf, 'path' | 'options'>[];
}

/** What the module is told of the file, and its sink, which learns the caller's codecs. Errors: ERR_OPTION, PartMissing. */
export function settings(
  columns: readonly SettledColumn[],
  { metadata: own, arrow }: Pick<Table, 'metadata' | 'arrow'>,
  options: FileOptions,
  memory: WebAssembly.Memory,
  sink: CoreSink,
): [Float64Array, Uint8Array, CoreSink] {
  // What the caller says goes before what came with the data.
  const metadata = withArrowSchema(own, arrow);
  const said = new Set(options.metadata.map(([key]) => key));
  const leaves = columns.flatMap((column) => column.leaves);
  if (leaves.some((leaf) => leaf.options.codec >= EXTERNAL)) {
    Object.assign(sink, ownCodecs.get().pageCodec(leaves, options, memory));
  }
  const packed = pack({
    elements: columns.flatMap(({ elements }) => elements),
    leaves: leaves.map((leaf) => leaf.options),
    sorting: sortingLeaves(columns, options.sorting),
    metadata: [...metadata.filter(([key]) => !said.has(key)), ...options.metadata],
    options,
  });
  return [...packed, sink];
}

/** Sorting columns by the number of their leaf. Errors: ERR_OPTION. */
function sortingLeaves(columns: readonly SettledColumn[], sorting: readonly Sorting[]): [number, boolean, boolean][] {
  const leaves = columns.flatMap((column) => column.leaves);
  return sorting.map(({ path, descending, nullsFirst }, index) => {
    const leaf = leaves.findIndex((one) => one.path === path);
    const fail = (problem: string): never => refuse(`sortingColumns[${index}]`, `${JSON.stringify(path)} ${problem}`);
    if (leaf < 0) fail('is no column, or has columns inside');
    if (sorting.findIndex((one) => one.path === path) < index) fail('is named twice');
    return [leaf, descending, nullsFirst];
  });
}

/** Gives the writer's memory back; false when that cannot be done, and the instance is lost. */
export function free(writer: WasmWriter | undefined): boolean {
  try {
    writer?.free();
    return true;
  } catch {
    return false;
  }
}

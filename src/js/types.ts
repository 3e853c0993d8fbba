/** Types of the public functions. */

/** Float16Array, where the TypeScript library knows it. */
type Float16ArrayIfKnown = typeof globalThis extends { Float16Array: { prototype: infer Instance } } ? Instance : never;

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float16ArrayIfKnown
  | Float32Array
  | Float64Array;

/**
 * The values of one column.
 *
 * - A typed array, taken as it is: any byteOffset, also over a SharedArrayBuffer or a resizable buffer.
 * - An array of numbers, bigints, strings, booleans, Dates or bytes; `null`, `undefined` and holes are nulls.
 * - `{ values, validity }`: fixed-width values with an LSB-first bitmap in which 1 means present.
 * - `{ offsets, bytes }`: UTF-8 or binary values, n + 1 offsets into `bytes`. Without a declared type they are binary.
 * - `{ indices, dictionary }`: entries of a dictionary, which has any of these forms and may hold nulls and duplicates.
 * - `{ bits, length }`: booleans, LSB-first.
 * - `{ offsets, child }`: lists, n + 1 offsets into their values; with a declared type `map<K, V>` maps, whose child
 *   has the children `key` and `value`.
 * - `{ children, length }`: structs, their fields by name.
 * - A vector of apache-arrow, or a column of flechette.
 *
 * The object forms are Arrow's memory layout, and are not copied. Offsets need not start at 0; under a null anything
 * may stand.
 */
export type ColumnData =
  | TypedArray
  | readonly unknown[]
  | { values: TypedArray; validity?: Uint8Array; length?: number }
  | { offsets: Int32Array | BigInt64Array | Uint32Array; bytes: Uint8Array; validity?: Uint8Array; length?: number }
  | {
      indices: Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;
      dictionary: ColumnData;
      validity?: Uint8Array;
      length?: number;
    }
  | { bits: Uint8Array; validity?: Uint8Array; length: number }
  | { offsets: Int32Array | BigInt64Array | Uint32Array; child: ColumnData; validity?: Uint8Array; length?: number }
  | { children: Readonly<Record<string, ColumnData>>; validity?: Uint8Array; length: number }
  | ArrowVectorLike;

/** A table or record batch of apache-arrow or flechette, told by what it has. */
export interface ArrowTableLike {
  readonly schema: { readonly fields: readonly unknown[] };
  readonly numRows: number;
}

/** A vector of apache-arrow, or a column of flechette. */
export interface ArrowVectorLike {
  readonly type: unknown;
  readonly data: unknown;
  readonly length: number;
}

/**
 * A type as text:
 *
 * - `bool`, `int8` … `int64`, `uint8` … `uint64`, `float16`, `float32` (`float`), `float64` (`double`), `string`, `binary`,
 *   `fixed[16]` (bytes), `enum`, `json`, `bson`, `uuid`, `decimal(12, 2)` (up to 38 digits), `date`, `interval`, `int96`,
 *   `null`;
 * - `time[ms]`, `time[us]`, `time[ns]`, `timestamp[ms]` …: without a zone local time, `timestamp[us, UTC]` with any zone
 *   an instant;
 * - `list<T>`, `map<K, V>`, `struct<name: T, "a b": T>`: a name that is no word is quoted as in JSON. A nested value may
 *   be null unless `not null` follows its type; keys of maps never are. At most 100 of these inside one another.
 *
 * What cells may be:
 *
 * - integers: whole numbers or bigints; floats: numbers, rounded to the nearest float32 or float16;
 * - decimal: a number (its shortest text), a bigint or decimal text, each meaning the value itself;
 * - date: a Date (its day in UTC), a Temporal.PlainDate, `"2024-02-29"`, or days since 1970;
 * - time: a Temporal.PlainTime, `"12:34:56.789"` (with `Z` where the type has a zone), or units since midnight;
 * - timestamp: a Date, or units since 1970; with a zone a Temporal.Instant or ZonedDateTime, or text with `Z` or an
 *   offset; without one a Temporal.PlainDateTime, or text that has neither;
 * - int96: as both kinds of timestamps, a count being nanoseconds;
 * - uuid: 36 characters in either case, or 16 bytes; interval: `{ months, days, milliseconds }`, any of which may be
 *   missing;
 * - json: a string is JSON text already; other values become what JSON.stringify makes of them, except that nothing gets
 *   lost: NaN, bigints, functions, Maps, Errors and class instances without `toJSON` are refused;
 * - string and enum: only strings; binary and bson: any buffer or view of one; fixed: the same, of that length.
 *
 * What does not fit exactly is ERR_OUT_OF_RANGE, what is of another kind ERR_TYPE_MISMATCH; nothing is rounded or cut in
 * silence.
 */
export type TypeSpec = string;

/** Types by column name. Their order is the order of columns in the file. */
export type SchemaSpec = Readonly<Record<string, TypeSpec | { type: TypeSpec; nullable?: boolean; fieldId?: number }>>;

export type Codec = 'none' | 'snappy' | 'zstd' | 'lz4' | 'gzip' | 'brotli';
export type Encoding =
  | 'auto'
  | 'PLAIN'
  | 'RLE_DICTIONARY'
  | 'RLE'
  | 'DELTA_BINARY_PACKED'
  | 'DELTA_LENGTH_BYTE_ARRAY'
  | 'DELTA_BYTE_ARRAY'
  | 'BYTE_STREAM_SPLIT';

export interface ColumnOptions {
  /** Default `'auto'`: chosen per column chunk. An encoding that the type cannot take is ERR_OPTION. */
  encoding?: Encoding;
  /** Default `'zstd'`. */
  compression?: Codec;
  /** Level of zstd, −5 to 9, default 1; ERR_OPTION with a codec that has no levels. */
  compressionLevel?: number;
  /** Default true: a dictionary is tried, and kept where it makes the chunk smaller. */
  dictionary?: boolean;
  /**
   * A split-block Bloom filter for each column chunk: lookups of absent values skip it. `fpp` is the share of them that
   * it lets through, between 0 and 1, default 0.01; `maxBytes` its most bytes, default 1 MiB. Default false. Not for bool, float16 and
   * decimals beyond 18 digits.
   */
  bloomFilter?: boolean | { fpp?: number; maxBytes?: number };
  /** `'none'`, `'chunk'` or, the default, `'page'`: chunk statistics and column index. */
  statistics?: 'none' | 'chunk' | 'page';
}

/** A column with its name, and whatever else is to be said about it. */
export interface Column extends ColumnOptions {
  name: string;
  data: ColumnData;
  /** Default: inferred from `data`. */
  type?: TypeSpec;
  /** Default: true when `data` holds a null or a validity bitmap is given, else false. */
  nullable?: boolean;
}

/** Columns by name, or a list of columns, all of one length; or a table or record batch of Arrow. */
export type TableInput = Readonly<Record<string, ColumnData>> | readonly Column[] | ArrowTableLike;

/** One row: values by column name. Keys that are missing, `undefined` and `null` all mean null. */
export type Row = Readonly<Record<string, unknown>>;

/** How far a write has come. */
export interface Progress {
  /** Rows done; while a row group is under way, its share of rows by columns done. Never falls. */
  rows: number;
  totalRows?: number;
  /** Bytes of the file that are settled. */
  bytes: number;
}

/** Options of a write. An unknown option, an unknown column in `columns` or a value out of range is ERR_OPTION. */
export interface WriteOptions extends ColumnOptions {
  /** Types by column name; it names every column of the table and no other. */
  schema?: SchemaSpec;
  /** Options for single columns, by name. They go before the column's own and before those for all. */
  columns?: Readonly<Record<string, ColumnOptions>>;
  /**
   * What an encoding that is not given is chosen from: a sample of the column chunk is encoded each way and compressed,
   * the smallest wins. `'broad'` (default): PLAIN and dictionaries, which all readers of the last years read right
   * (fastparquet reads deltas and RLE booleans as other values, Spark before 4.3 has no BYTE_STREAM_SPLIT).
   * `'modern'`: also DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, BYTE_STREAM_SPLIT and RLE booleans
   * where the newest release of every engine reads them.
   */
  compatibility?: 'broad' | 'modern';
  /** Version of data pages, default 1. In version 2 levels are not compressed, and values only where that pays. */
  pageVersion?: 1 | 2;
  /**
   * What rows are sorted by within each row group, the most significant column first. It is checked: a row out of order
   * is ERR_OUT_OF_RANGE. Columns that repeat or have no order cannot be named.
   */
  sortingColumns?: readonly { column: string; descending?: boolean; nullsFirst?: boolean }[];
  /**
   * Most bytes of a data page's values before compression: 1 to 2^30, default 2^20. With DELTA_BYTE_ARRAY they are
   * counted as they are encoded, so that what values share is written once a page.
   */
  pageBytes?: number;
  /** Most rows of a data page: 1 to 2^30, default 20 000. */
  pageRows?: number;
  /**
   * Ends pages where their content says so, by a rolling hash over values and nulls: equal stretches of a column give
   * equal pages, so that a deduplicating store keeps them once, and an edit costs a page or two. A page then has at
   * most `maxBytes` bytes of values before compression (2 to 2^30, default `pageBytes`), but for rows that are larger,
   * and at least `minBytes` (default a quarter of that), but where a row group ends or the next row does not fit; nulls count as values, a boolean as a
   * byte. `pageRows` is a limit only where it is given. Codes of a dictionary differ with what came before: for columns
   * of which rows come and go use `dictionary: false` or an encoding. Default false.
   */
  contentDefinedChunking?: boolean | { minBytes?: number; maxBytes?: number };
  /**
   * Keeps Arrow's schema in the footer (`ARROW:schema`), so that readers that know it give back large and view types,
   * dictionaries, time zones, durations and extension types. For Arrow tables and record batches and for what
   * `tableFromArrowIPC` gives; anything else is ERR_OPTION. Not in `writeParquetSync`: what it needs is loaded when it is
   * asked for. Default false.
   */
  arrowSchema?: boolean;
  /** Most rows of a row group: 1 to 2^31 − 1, default 2^20. */
  rowGroupRows?: number;
  /**
   * Most bytes of a row group, counted as PLAIN values before compression (nulls of fixed-width columns count as
   * values, a string or binary value as its bytes and 4 more): at least 1, default 2^27. A larger row stands alone. Strings
   * of which a sample promises that all fits into nine tenths of it are not counted one by one.
   */
  rowGroupBytes?: number;
  /** Most bytes of a dictionary; above it the rest of the chunk has none: 1 to 2^30, default 2^21. */
  dictionaryBytes?: number;
  /** Most bytes of string and binary bounds in statistics and column index: 1 to 2^30, default 64. */
  statisticsTruncateBytes?: number;
  /** CRC-32 of every page. Default true. */
  pageChecksum?: boolean;
  /** Key-value metadata of the footer. */
  metadata?: Readonly<Record<string, string>>;
  /** Who wrote the file. Default: this package with its version. */
  createdBy?: string;
  /** Checking every page by decoding it is not in this version: only `false`. */
  verify?: false;
  /** Encoding on Web Workers is not in this version: only 1. */
  workers?: 1;
  /**
   * Codecs of your own, used where `compression` names them instead of those of this package: each is given the bytes of
   * a page and returns them compressed as the format wants it. Only the size is checked; what a codec throws is the
   * `cause` of ERR_OPTION. gzip and brotli are not part of this package and can be had so.
   */
  codecs?: Partial<Record<Codec, (bytes: Uint8Array) => Uint8Array>>;
  /** Ends the write with ERR_ABORTED; its reason is the error's `cause`. */
  signal?: AbortSignal;
  /** Called every few milliseconds, after every row group and at the end. An error that it throws rejects the write. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Where the pages of an open row group wait: in memory, or in a file: a temporary one (Node, Deno, Bun), or one of the
 * page's private file system, which is fastest in a worker. The file is removed however the write ends; what a closed tab
 * has left is removed when the next file is opened.
 */
export type SpillStore = 'memory' | 'disk';

/** Options of a writer. */
export interface StreamOptions extends WriteOptions {
  /** Takes the bytes of the file, each chunk an array of its own. Default: none, the file becomes a Blob. */
  sink?: WritableStream<Uint8Array>;
  /** Default `'memory'`; `'disk'` is ERR_OPTION where there is no file system. */
  spill?: SpillStore;
}

/** What `finish` says. */
export interface WriteResult {
  /** Only where no sink was given. */
  blob?: Blob;
  rows: number;
  rowGroups: number;
  /** Length of the file in bytes. */
  byteLength: number;
}

/** Where the compiled module may come from. */
export type WasmSource =
  WebAssembly.Module | BufferSource | Response | URL | string | Promise<WebAssembly.Module | BufferSource | Response>;

/**
 * Row groups without a file around them: what a worker or an edge function makes on its own. Structured-cloneable.
 * `body` may be uploaded as it is; what a file needs to know of it stands in `footer`, which is small.
 */
export interface RowGroupFragment {
  readonly body: Blob;
  /** Bytes of `body`. */
  readonly byteLength: number;
  readonly rows: number;
  readonly footer: Uint8Array<ArrayBuffer>;
}

/** A fragment whose body is elsewhere. */
export type FragmentFooter = Omit<RowGroupFragment, 'body'>;

/** Options of a fragment. */
export interface FragmentOptions extends WriteOptions {
  /**
   * Makes the body as long as this or a multiple, 1 to 2^40, with zeros behind its pages: for stores whose parts must
   * have one size (R2), or a least one (S3: 5 MiB). Such a body begins with the magic of a file, so that the first part
   * is as long as the others. Default: no padding.
   */
  padToBytes?: number;
}

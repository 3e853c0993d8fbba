/** Options of a write: all checked together, before anything else happens. */

import { absent, codecs } from '#build';
import { describe } from './errors.js';
import { OptionReader, refuse } from './option-reader.js';
import { Physical } from './leaf-type.js';
import type { Progress } from './types.js';

/** Options of one column as the core takes them. */
export interface LeafOptions {
  readonly codec: number;
  readonly level: number;
  readonly encoding: number;
  readonly dictionary: boolean;
  readonly statistics: number;
  /** Share of false positives of a Bloom filter, 0 for none, and its most bytes. */
  readonly bloomFpp: number;
  readonly bloomBytes: number;
}

/** A column that rows are declared to be sorted by. */
export interface Sorting {
  readonly path: string;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Options of one column as given, where they were given. */
export type ColumnChoice = { [Name in keyof ReturnType<typeof emptyChoice>]: ReturnType<typeof emptyChoice>[Name] };

/** Options of the file. */
export interface FileOptions {
  readonly schema: ReadonlyMap<string, unknown> | undefined;
  readonly all: ColumnChoice;
  /** By column name. */
  readonly columns: ReadonlyMap<string, ColumnChoice>;
  /** Whether every encoding may be chosen that the newest engines read. */
  readonly modern: boolean;
  readonly pageVersion: number;
  readonly sorting: readonly Sorting[];
  readonly pageBytes: number;
  readonly pageRows: number;
  /** Where pages end by their content: the least bytes of one, `pageBytes` being the most. Otherwise 0. */
  readonly leastPageBytes: number;
  readonly rowGroupRows: number;
  readonly rowGroupBytes: number;
  readonly dictionaryBytes: number;
  readonly statisticsTruncateBytes: number;
  readonly pageChecksum: boolean;
  readonly metadata: readonly (readonly [string, string])[];
  readonly createdBy: string;
  readonly arrowSchema: boolean;
  /** Codecs of the caller's, by the numbers of the format. */
  readonly codecs: ReadonlyMap<number, (bytes: Uint8Array) => unknown>;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** `CompressionCodec` of the format. */
const codecIds = new Map([
  ['none', 0],
  ['snappy', 1],
  ['gzip', 2],
  ['brotli', 4],
  ['zstd', 6],
  ['lz4', 7],
]);
/** Added to the number of a codec that is the caller's. */
export const EXTERNAL = 16;
const compatibilities = new Map([
  ['broad', 0],
  ['modern', 1],
]);
const ZSTD = 6;
const ZSTD_LEVELS = { least: -5, most: 9, usual: 1 };
const AUTO = -1;
export const RLE_DICTIONARY = 8;
const encodings = new Map([
  ['auto', AUTO],
  ['PLAIN', 0],
  ['RLE', 3],
  ['DELTA_BINARY_PACKED', 5],
  ['DELTA_LENGTH_BYTE_ARRAY', 6],
  ['DELTA_BYTE_ARRAY', 7],
  ['RLE_DICTIONARY', RLE_DICTIONARY],
  ['BYTE_STREAM_SPLIT', 9],
]);
/** Physical types that an encoding is for, by their numbers in the format; of the others any. */
const encodingTypes = new Map<number, readonly number[]>([
  [3, [Physical.boolean]],
  [5, [Physical.int32, Physical.int64]],
  [6, [Physical.bytes]],
  [7, [Physical.bytes, Physical.fixed]],
  [RLE_DICTIONARY, [Physical.int32, Physical.int64, Physical.int96, Physical.float, Physical.double, Physical.bytes, Physical.fixed]],
  [9, [Physical.int32, Physical.int64, Physical.float, Physical.double, Physical.fixed]],
]);
/** A Bloom filter without words of its own. */
const BLOOM = { fpp: 0.01, maxBytes: 2 ** 20 };
const statistics = new Map([
  ['none', 0],
  ['chunk', 1],
  ['page', 2],
]);
/** Sizes that the format counts in 31 bits must leave room for what stands beside the values. */
const MOST_PAGE = 2 ** 30;
const MOST_ROWS = 2 ** 31 - 1;

const emptyChoice = () => ({
  codec: undefined as number | undefined,
  level: undefined as number | undefined,
  encoding: undefined as number | undefined,
  dictionary: undefined as boolean | undefined,
  statistics: undefined as number | undefined,
  bloom: undefined as { fpp: number; maxBytes: number } | undefined,
});

/** `true`, `false`, or `{ fpp, maxBytes }`; without a filter the share is 0. */
function readBloom(read: OptionReader): ColumnChoice['bloom'] {
  const given = read.get('bloomFilter');
  if (given === undefined) return undefined;
  if (given === false) return { fpp: 0, maxBytes: 0 };
  if (given === true) return BLOOM;
  if (typeof given !== 'object' || given === null) read.fail('bloomFilter', 'true, false or { fpp, maxBytes }');
  const own = new OptionReader(given, read.name('bloomFilter'));
  const fpp = (own.get('fpp') ?? BLOOM.fpp) as number;
  // Written so that NaN fails too.
  if (typeof fpp !== 'number' || !(fpp > 0 && fpp < 1)) own.fail('fpp', 'a number between 0 and 1');
  const maxBytes = own.integer('maxBytes', 32, MOST_PAGE) ?? BLOOM.maxBytes;
  own.end();
  return { fpp, maxBytes };
}

function readSorting(read: OptionReader): Sorting[] {
  const given = read.get('sortingColumns') ?? [];
  if (!Array.isArray(given)) read.fail('sortingColumns', 'a list of { column, descending, nullsFirst }');
  return given.map((entry: unknown, index) => {
    const own = new OptionReader(entry, `sortingColumns[${index}]`);
    const path = own.get('column') as string;
    if (typeof path !== 'string') own.fail('column', 'the name of a column');
    const sorting = {
      path,
      descending: own.boolean('descending') ?? false,
      nullsFirst: own.boolean('nullsFirst') ?? false,
    };
    own.end();
    return sorting;
  });
}

/** Whether values of a physical type can be encoded so. */
export function encodingFits(encoding: number, physical: number): boolean {
  return encodingTypes.get(encoding)?.includes(physical) ?? true;
}

/** The name of an encoding. */
export function encodingName(encoding: number): string {
  return [...encodings].find(([, id]) => id === encoding)?.[0] ?? String(encoding);
}

function readChoice(read: OptionReader): ColumnChoice {
  const choice = emptyChoice();
  choice.codec = read.word('compression', codecIds);
  choice.level = read.integer('compressionLevel', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  choice.encoding = read.word('encoding', encodings);
  choice.dictionary = read.boolean('dictionary');
  choice.statistics = read.word('statistics', statistics);
  choice.bloom = readBloom(read);
  if (choice.encoding === RLE_DICTIONARY && choice.dictionary === false) {
    refuse(read.name('encoding'), '"RLE_DICTIONARY" and dictionary: false contradict each other');
  }
  return choice;
}

/** The options of one column as they stand in a list of columns; `own` are its other keys. */
export function readColumnChoice(given: unknown, at: string, own: readonly string[]): ColumnChoice {
  const read = new OptionReader(given, at);
  own.forEach((key) => read.get(key));
  const choice = readChoice(read);
  read.end();
  return choice;
}

/**
 * What holds for a column, from choices in rising order of precedence. A codec comes with its own level, an encoding
 * with its own word on dictionaries: what was said further out about another codec or encoding does not carry over.
 */
export function settle(choices: readonly ColumnChoice[], name: string, own: FileOptions['codecs']): LeafOptions {
  let codec = codecs[0];
  let level: number | undefined;
  let encoding = AUTO;
  let dictionary = true;
  let statistics = 2;
  let bloom = { fpp: 0, maxBytes: 0 };
  for (const choice of choices) {
    if (choice.codec !== undefined) [codec, level] = [choice.codec, undefined];
    level = choice.level ?? level;
    if (choice.encoding !== undefined) [encoding, dictionary] = [choice.encoding, choice.dictionary ?? true];
    if (choice.dictionary !== undefined) {
      dictionary = choice.dictionary;
      if (!dictionary && encoding === RLE_DICTIONARY) encoding = AUTO;
    }
    statistics = choice.statistics ?? statistics;
    bloom = choice.bloom ?? bloom;
    if (own.has(codec)) {
      if (level !== undefined) refuse(optionOf('compressionLevel', name), 'a codec of your own has no levels here');
    } else checkLevel(codec, level, name);
  }
  if (own.has(codec)) codec += EXTERNAL;
  else if (!codecs.includes(codec)) refuse(optionOf('compression', name), `"${codecWord(codec)}" ${absent}`);
  const usual = codec === ZSTD ? ZSTD_LEVELS.usual : 0;
  const { fpp: bloomFpp, maxBytes: bloomBytes } = bloom;
  return { codec, level: level ?? usual, encoding, dictionary, statistics, bloomFpp, bloomBytes };
}

export const codecWord = (codec: number) => [...codecIds].find(([, id]) => id === codec)?.[0];

const optionOf = (key: string, column: string) => (column === '' ? key : `${key} of column ${JSON.stringify(column)}`);

function checkLevel(codec: number, level: number | undefined, name: string): void {
  if (level === undefined) return;
  const option = optionOf('compressionLevel', name);
  if (codec !== ZSTD) refuse(option, `"${codecWord(codec)}" has no levels`);
  if (level < ZSTD_LEVELS.least || level > ZSTD_LEVELS.most) {
    refuse(option, `zstd has levels ${ZSTD_LEVELS.least} to ${ZSTD_LEVELS.most}, got ${level}`);
  }
}

/** Limits of a page; where content says where it ends, there is none of rows but one that is asked for. */
function readPageSizes(read: OptionReader): Pick<FileOptions, 'pageBytes' | 'pageRows' | 'leastPageBytes'> {
  const pageBytes = read.integer('pageBytes', 1, MOST_PAGE) ?? 2 ** 20;
  const pageRows = read.integer('pageRows', 1, MOST_PAGE);
  const given = read.get('contentDefinedChunking');
  if (given === undefined || given === false) return { pageBytes, pageRows: pageRows ?? 20_000, leastPageBytes: 0 };
  if (given !== true && (typeof given !== 'object' || given === null)) {
    read.fail('contentDefinedChunking', 'true, false or { minBytes, maxBytes }');
  }
  const own = new OptionReader(given === true ? {} : given, read.name('contentDefinedChunking'));
  const most = own.integer('maxBytes', 2, MOST_PAGE) ?? Math.max(pageBytes, 2);
  const least = own.integer('minBytes', 1, most - 1) ?? Math.ceil(most / 4);
  own.end();
  return { pageBytes: most, pageRows: pageRows ?? MOST_PAGE, leastPageBytes: least };
}

function readCodecs(read: OptionReader): FileOptions['codecs'] {
  return new Map(
    (read.entries('codecs') ?? []).flatMap(([word, codec]) => {
      const id = codecIds.get(word);
      if (!id) refuse(`codecs.${word}`, 'there is no such codec');
      if (codec === undefined) return [];
      if (typeof codec !== 'function') refuse(`codecs.${word}`, `expected a function, got ${describe(codec)}`);
      return [[id as number, codec as (bytes: Uint8Array) => unknown] as const];
    }),
  );
}

function readMetadata(read: OptionReader): [string, string][] {
  const entries = read.entries('metadata') ?? [];
  for (const [key, value] of entries) {
    if (typeof value !== 'string') refuse(`metadata.${key}`, `expected a string, got ${describe(value)}`);
  }
  return entries as [string, string][];
}

function readSignal(read: OptionReader): AbortSignal | undefined {
  const signal = read.get('signal') as AbortSignal | undefined;
  if (signal !== undefined && typeof signal?.aborted !== 'boolean') read.fail('signal', 'an AbortSignal');
  return signal;
}

/** Reads and checks all options. Errors: ERR_OPTION with the name of the first that is wrong. */
export function readOptions(given: unknown): FileOptions {
  const read = new OptionReader(given ?? {}, '');
  const columns = new Map<string, ColumnChoice>();
  for (const [name, options] of read.entries('columns') ?? []) {
    columns.set(name, readColumnChoice(options, `columns[${JSON.stringify(name)}]`, []));
  }
  const schema = read.entries('schema');
  const createdBy = read.get('createdBy');
  if (createdBy !== undefined && (typeof createdBy !== 'string' || createdBy === '')) {
    read.fail('createdBy', 'a string that is not empty');
  }
  read.later('verify', [false]);
  read.later('workers', [1]);
  const options: FileOptions = {
    schema: schema && new Map(schema),
    all: readChoice(read),
    columns,
    modern: read.word('compatibility', compatibilities) === 1,
    pageVersion: read.integer('pageVersion', 1, 2) ?? 1,
    sorting: readSorting(read),
    ...readPageSizes(read),
    rowGroupRows: read.integer('rowGroupRows', 1, MOST_ROWS) ?? 2 ** 20,
    rowGroupBytes: read.integer('rowGroupBytes', 1, Number.MAX_SAFE_INTEGER) ?? 2 ** 27,
    dictionaryBytes: read.integer('dictionaryBytes', 1, MOST_PAGE) ?? 2 ** 21,
    statisticsTruncateBytes: read.integer('statisticsTruncateBytes', 1, MOST_PAGE) ?? 64,
    pageChecksum: read.boolean('pageChecksum') ?? true,
    metadata: readMetadata(read),
    createdBy: (createdBy as string | undefined) ?? '',
    arrowSchema: read.boolean('arrowSchema') ?? false,
    codecs: readCodecs(read),
    signal: readSignal(read),
    onProgress: read.function('onProgress') as FileOptions['onProgress'],
  };
  read.end();
  settle([options.all], '', options.codecs);
  for (const [name, choice] of columns) settle([options.all, choice], name, options.codecs);
  return options;
}

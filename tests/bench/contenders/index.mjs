/** Names of the files in this folder that run.mjs takes by default. */
export const defaultContenders = [
  'parquill', 'copy-only', 'hyparquet-writer', 'parquet-wasm-fast', 'parquet-wasm', 'duckdb-wasm', 'parquetjs',
];
export const quickContenders = ['parquill', 'copy-only', 'hyparquet-writer', 'parquet-wasm-fast'];

/** Tables of those that are not for all of them: the README's way of parquet-wasm is for what its arrays cost. */
const tablesOf = { 'copy-only': ['floats', 'ints'], 'parquet-wasm': ['strings'] };
const codecsOf = { parquetjs: ['none', 'snappy'] };

export const takes = (name, table, chosen) => chosen || (tablesOf[name]?.includes(table) ?? true);
export const knows = (name, codec) => codecsOf[name]?.includes(codec) ?? true;

/** So slow that they get a tenth of the rows, in a run of their own beside parquill. */
export const isSlow = (name) => name === 'parquetjs';

/** Those that parquill is measured against: not its own variants, not the native writers, not the limit. */
export const isPeer = (name) => !name.startsWith('parquill') && !name.startsWith('native') && name !== 'copy-only';

/** Names of the files in this folder that run.mjs takes by default. */
export const defaultContenders = ['parquill', 'hyparquet-writer', 'parquet-wasm', 'parquet-wasm-fast'];

/** Those that parquill is measured against: not its own variants, not the native writers. */
export const isPeer = (name) => !name.startsWith('parquill') && !name.startsWith('native');

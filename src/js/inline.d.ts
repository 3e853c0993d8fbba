/** The module as base64 of its gzip, written by the build next to index.js. */
declare const base64: string;
export default base64;

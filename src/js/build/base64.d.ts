/** Modules as base64 of their gzip, written by the build next to the scripts. */
declare module '*.base64.js' {
  const base64: string;
  export default base64;
}

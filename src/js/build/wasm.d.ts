/** Modules that the runtime compiles when it loads the script. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

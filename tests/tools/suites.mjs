// Every suite of the repository, in the order in which `npm test` runs them: quick ones that fail often come first.
//
// needs: steps of setup.mjs; built: needs pkg/. program, args, env: what is run from the repository's folder.
// tests: a folder whose *.test.mjs files are added to the arguments. form: how counts.mjs finds the counts.
// minutes: after that long the suite is ended and has failed.

const WASM = ['--target', 'wasm32-unknown-unknown'];
const NODE_TEST = ['--test', '--test-reporter=spec'];
// The runner's own limits (5 and 20 seconds) are too short for a busy machine.
const PATIENCE = { WASM_BINDGEN_TEST_DRIVER_TIMEOUT: '60', WASM_BINDGEN_TEST_TIMEOUT: '300' };

export const suites = [
  {
    name: 'format', what: 'rustfmt changes nothing', needs: ['rust'],
    program: 'cargo', args: ['fmt', '--check'], form: 'exit', minutes: 2,
  },
  {
    name: 'clippy', what: 'clippy, native', needs: ['rust'],
    program: 'cargo', args: ['clippy', '--quiet', '--all-targets', '--', '-D', 'warnings'],
    form: 'exit', minutes: 10,
  },
  {
    name: 'clippy-wasm', what: 'clippy, wasm32', needs: ['rust'],
    program: 'cargo', args: ['clippy', '--quiet', ...WASM, '--all-targets', '--', '-D', 'warnings'],
    form: 'exit', minutes: 10,
  },
  {
    name: 'rust', what: 'the core, native', needs: ['rust'],
    program: 'cargo', args: ['test', '--quiet', '--no-fail-fast'], form: 'cargo', minutes: 20,
  },
  {
    name: 'wasm', what: 'the core as wasm, in Node', needs: ['rust', 'xtask'],
    program: 'cargo', args: ['test', ...WASM, '--test', 'web'], env: PATIENCE, form: 'cargo', minutes: 10,
  },
  {
    name: 'wasm-browser', what: 'the core as wasm, in Chromium', needs: ['rust', 'xtask', 'browser'],
    program: 'cargo', args: ['test', ...WASM, '--test', 'web'], env: { ...PATIENCE, WASM_BINDGEN_USE_BROWSER: '1' },
    form: 'cargo', minutes: 10,
  },
  {
    name: 'tools', what: 'the build, the set-up and the package', needs: ['node'], built: true,
    program: process.execPath, args: NODE_TEST, tests: 'tests/tools', form: 'node', minutes: 10,
  },
  {
    name: 'js', what: 'the public functions, in Node', needs: ['node'], built: true,
    program: process.execPath, args: NODE_TEST, tests: 'tests/js', form: 'node', minutes: 10,
  },
  {
    name: 'readers', what: 'what other readers find in our files', needs: ['node', 'python'], built: true,
    program: process.execPath, args: ['tests/readers/run.mjs'], form: 'line', minutes: 30,
  },
  {
    name: 'support', what: 'what further readers find in files written by default', built: true,
    needs: ['node', 'python', 'readers', 'java'],
    program: process.execPath, args: ['tests/readers/support/run.mjs', '--defaults'], form: 'line', minutes: 30,
  },
  {
    name: 'browser', what: 'the demo page, in Chromium', needs: ['node', 'python', 'browser'], built: true,
    program: process.execPath, args: NODE_TEST, tests: 'tests/browser', form: 'node', minutes: 10,
  },
  {
    name: 'edge', what: 'streams to R2 in workerd, the worker in Deno and Bun', needs: ['node', 'python', 'runtimes'], built: true,
    program: process.execPath, args: NODE_TEST, tests: 'tests/edge', form: 'node', minutes: 10,
  },
  {
    name: 'runtimes', what: 'the packed package in every runtime and bundler',
    needs: ['node', 'browser', 'runtimes'], built: true,
    program: process.execPath, args: NODE_TEST, tests: 'tests/runtimes', form: 'node', minutes: 15,
  },
];

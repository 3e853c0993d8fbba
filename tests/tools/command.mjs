// Running other programs, and telling the user what went wrong in one line.
// Nothing here needs an npm package: set-up runs before there are any.

import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

// rustup puts its programs on the PATH of login shells only.
const rustPrograms = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin');
process.env.PATH = [process.env.PATH, rustPrograms].join(delimiter);

/**
 * Something the user can mend: shown as its message, without a stack.
 * mayBeMissing: suites that need it are skipped; otherwise they have failed.
 */
export class Trouble extends Error {
  constructor(message, { mayBeMissing = false } = {}) {
    super(message);
    this.name = 'Trouble';
    this.mayBeMissing = mayBeMissing;
  }
}

/** The full path of a program, or undefined. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (folder !== '' && statSync(path).isFile()) return path;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Our own tools, as npm would see them. */
export function packageProgram(name) {
  return join(root, 'node_modules', '.bin', name);
}

/**
 * Runs a program to its end and returns its exit code and whatever it wrote.
 * show: pass the output on while it comes. timeout: seconds, after which it is ended together with its children.
 */
export function run(program, args, { cwd = root, env = {}, show = false, timeout } = {}) {
  const environment = { ...process.env, ...env };
  // A target folder shared between projects would hide what cargo built from the steps that follow.
  delete environment.CARGO_TARGET_DIR;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that a browser started by a test ends with it.
      detached: timeout !== undefined,
    });
    const chunks = [];
    let timedOut = false;
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    };
    const timer = timeout && setTimeout(() => {
      timedOut = true;
      end();
    }, timeout * 1000);
    const interrupted = () => {
      end();
      process.exit(130);
    };
    if (timeout) for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
    for (const [stream, ours] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
      stream.on('data', (bytes) => {
        chunks.push(bytes);
        if (show) ours.write(bytes);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), timedOut });
    });
  });
}

/** Runs a program that must succeed; otherwise its output is shown and `what` says which step failed. */
export async function must(what, program, args, options) {
  const { code, output } = await run(program, args, options);
  if (code === 0) return output;
  if (!options?.show) process.stderr.write(output);
  throw new Trouble(`${what} failed: ${[program, ...args].join(' ').replaceAll(root, '')} ended with code ${code}`);
}

/** Runs `work` when the file was started as a program, not when it was imported. */
export async function whenProgram(url, work) {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Trouble ? `parquill: ${error.message}` : error);
    process.exitCode = 1;
  }
}

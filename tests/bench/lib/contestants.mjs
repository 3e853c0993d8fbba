import { fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { here } from './setup.mjs';

/** A JavaScript contender in a process of its own. */
export class Contender {
  constructor(name) {
    this.name = name;
    this.process = fork(here('child.mjs'), { execArgv: ['--expose-gc', '--max-old-space-size=6144'] });
    this.ended = new Promise((resolve) => this.process.once('exit', (code) => resolve({ error: `exit code ${code}` })));
  }

  async ask(command, rest) {
    const answer = new Promise((resolve) => this.process.once('message', resolve));
    this.process.send({ command, ...rest });
    const { result, error } = await Promise.race([answer, this.ended]);
    if (error) throw new Error(`${this.name}: ${error}`);
    return result;
  }

  load({ name, rows }) {
    return this.ask('load', { name, rows, file: here(`contenders/${this.name}.mjs`) });
  }

  write(options, repeat, saveTo) {
    return this.ask('write', { options, repeat, saveTo });
  }

  /** Of the memory, by one write that is not timed. */
  growth(options) {
    return this.ask('growth', { options });
  }

  end() {
    this.process.kill();
    return this.ended;
  }
}

/** A native writer in Python, one thread, for reference. */
export class Native {
  constructor(name, python) {
    this.name = `native ${name}`;
    this.process = spawn(python, [here('python/native.py'), name], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
  }

  async ask(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
    const { value } = await this.lines.next();
    const { result, error } = value ? JSON.parse(value) : { error: 'the process ended' };
    if (error) throw new Error(`${this.name}: ${error}`);
    return result;
  }

  load({ source }) {
    return this.ask({ command: 'load', source });
  }

  write(options, repeat, saveTo) {
    return this.ask({ command: 'write', ...options, repeat, saveTo });
  }

  growth() {
    return {};
  }

  end() {
    this.process.stdin.end();
    return this.ended;
  }
}

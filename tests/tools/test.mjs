// `npm test`: sets up, builds, runs every suite and adds up. `npm test -- js readers` runs only these.

import { findProgram, run, Trouble, whenProgram } from './command.mjs';
import { build } from './build.mjs';
import { closing, count, skipLines } from './counts.mjs';
import { setUp } from './setup.mjs';
import { filesUnder } from './stamp.mjs';
import { suites } from './suites.mjs';

const none = { passed: 0, failed: 0, skipped: 0 };
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

let building;

/** What stands in the way of a suite: undefined, or a result that says so. */
async function obstacle(suite) {
  try {
    await setUp(suite.needs);
    if (suite.built) await (building ??= build());
    return undefined;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    return { ...none, [error.mayBeMissing ? 'skipped' : 'failed']: 1, reason: error.message };
  }
}

async function runSuite(suite) {
  console.log(`\n── ${suite.name}: ${suite.what}`);
  const start = performance.now();
  const blocked = await obstacle(suite);
  if (blocked) {
    console.log(blocked.reason);
    return { suite, ...blocked, skips: blocked.skipped > 0 ? [blocked.reason] : [], time: seconds(start) };
  }
  const files = suite.tests ? filesUnder(suite.tests).filter((file) => file.endsWith('.test.mjs')) : [];
  if (suite.tests && files.length === 0) {
    return { suite, ...none, failed: 1, reason: `no test in ${suite.tests}`, skips: [], time: seconds(start) };
  }
  const env = { ...suite.env, CHROME_PATH: findProgram('chromium') };
  const options = { env, show: true, timeout: suite.minutes * 60 };
  const { code, output, timedOut } = await run(suite.program, [...suite.args, ...files], options);
  const result = count(suite.form, code, output);
  if (timedOut) result.reason = `not done after ${suite.minutes} minutes`;
  return { suite, ...result, skips: skipLines(output), time: seconds(start) };
}

function report(results) {
  const width = Math.max(...results.map(({ suite }) => suite.name.length));
  console.log('\n── all suites');
  for (const { suite, passed, failed, skipped, reason, skips, time } of results) {
    const cell = (number, word) => `${String(number).padStart(6)} ${word}`;
    const counts = cell(passed, 'passed') + cell(failed, 'failed') + cell(skipped, 'skipped');
    const note = failed > 0 && reason ? `   ${reason}` : '';
    console.log(`${suite.name.padEnd(width)}${counts}${time.padStart(10)}${note}`);
    for (const line of skips) console.log(`    skipped: ${line}`);
  }
}

await whenProgram(import.meta.url, async (names) => {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    throw new Trouble(`no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`);
  }
  const start = performance.now();
  const results = [];
  for (const suite of suites) {
    if (names.length === 0 || names.includes(suite.name)) results.push(await runSuite(suite));
  }
  report(results);
  console.log(`in ${seconds(start)}`);
  console.log(closing(results));
  process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
});

// How many tests passed, read from what a suite wrote.

const withoutColours = (text) => text.replace(/\x1b\[[0-9;]*m/g, '');
const sum = (numbers) => numbers.reduce((total, number) => total + Number(number), 0);

const forms = {
  /** A check without tests: its exit code is its one result. */
  exit: (_, code) => (code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }),

  /** One summary per test program, from cargo test and from wasm-bindgen's runner alike. */
  cargo(text) {
    const found = [...text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)];
    const [passed, failed, skipped] = [1, 2, 3].map((group) => sum(found.map((match) => match[group])));
    return { passed, failed, skipped };
  },

  /** node:test, spec reporter. */
  node(text) {
    const count = (name) => sum([...text.matchAll(new RegExp(`^ℹ ${name} (\\d+)$`, 'gm'))].map((match) => match[1]));
    return {
      passed: count('pass'),
      failed: count('fail') + count('cancelled'),
      skipped: count('skipped') + count('todo'),
    };
  },

  /** Our own form, as the last such line. */
  line(text) {
    const found = [...text.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
    const [, passed = 0, failed = 0, skipped = 0] = found.at(-1) ?? [];
    return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  },
};

/** Lines that name a skipped test, with the reason where one is given. */
export function skipLines(output) {
  return withoutColours(output)
    .split('\n')
    .filter((line) => /^\s*﹣ |^test .* \.\.\. ignored/.test(line))
    .map((line) => line.trim());
}

/**
 * { passed, failed, skipped, reason }. A suite that ended badly has a failure even if it counted none, and so has one
 * that ran nothing: wasm-bindgen's runner, for one, ends well when it found no test.
 */
export function count(form, code, output) {
  const result = { ...forms[form](withoutColours(output), code), reason: '' };
  if (result.failed === 0 && code !== 0) {
    return { ...result, failed: 1, reason: `ended with code ${code}` };
  }
  if (result.passed + result.failed + result.skipped === 0) {
    return { ...result, failed: 1, reason: 'ran no test' };
  }
  return result;
}

/** The last line of `npm test`. */
export function closing(results) {
  const total = (key) => sum(results.map((result) => result[key]));
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(total);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

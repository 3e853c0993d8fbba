// `npm run test:readers`: every reader on everything. Words after it go to the support run, such as `-- --update`.

import { run, Trouble, whenProgram } from './command.mjs';
import { build } from './build.mjs';
import { setUp } from './setup.mjs';

const PARTS = [
  ['tests/readers/run.mjs', '--nested', '20000'],
  ['tests/readers/support/run.mjs'],
];

await whenProgram(import.meta.url, async (words) => {
  await setUp(['node', 'python', 'readers', 'java']);
  await build();
  const codes = [];
  for (const [program, ...args] of PARTS) {
    const own = program.includes('support') ? words : [];
    codes.push((await run(process.execPath, [program, ...args, ...own], { show: true })).code);
  }
  if (codes.some((code) => code !== 0)) throw new Trouble('readers found faults, see above');
});

/** One process per contender, started by run.mjs: holds a table and writes it when told to. */
import { writeFileSync } from 'node:fs';
import { mainThreadCpu, processCpu } from './lib/cpu.mjs';
import { heapGrowth } from './lib/heap.mjs';
import { writeTable } from './lib/write-table.mjs';
import { makeTable } from './tables/index.mjs';

let table;
let contender;

const commands = {
  async load({ name, rows, file }) {
    table = await makeTable(name, rows);
    contender = (await import(file)).default;
    await contender.init();
    return {};
  },

  async write({ options, repeat, saveTo }) {
    globalThis.gc();
    let file;
    const wallStart = performance.now();
    const cpuStart = mainThreadCpu();
    const processStart = processCpu();
    for (let i = 0; i < repeat; i++) file = await writeTable(contender, table, options);
    const wall = (performance.now() - wallStart) / repeat;
    const cpu = (mainThreadCpu() - cpuStart) / repeat;
    const allThreads = (processCpu() - processStart) / repeat;
    if (saveTo) writeFileSync(saveTo, file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : file);
    return { wall, cpu, allThreads, bytes: file.size ?? file.byteLength, wasmBytes: contender.wasmBytes?.() };
  },

  growth: ({ options }) => heapGrowth(() => writeTable(contender, table, options)),
};

process.on('message', async ({ command, ...rest }) => {
  try {
    process.send({ result: await commands[command](rest) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});

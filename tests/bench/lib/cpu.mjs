import { readFileSync } from 'node:fs';

/** Milliseconds of processor time of the main thread (Linux): wall time without the waiting on a busy machine. */
export const mainThreadCpu = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;

/** The same over all threads: with the garbage collector's and the compiler's. */
export function processCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

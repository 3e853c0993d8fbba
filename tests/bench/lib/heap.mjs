import { GCProfiler } from 'node:v8';

/**
 * What a write adds to the JavaScript heap and to the memory of array buffers (and wasm) at most, in bytes. The heap
 * only grows between two collections, so that its states before each and at the end hold the peak, also of code that
 * never lets a timer run.
 */
export async function heapGrowth(write) {
  // the second one finds what the first has only cut loose, the buffers of the write before
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const profiler = new GCProfiler();
  profiler.start();
  await write();
  const end = process.memoryUsage();
  const states = profiler.stop().statistics.map(({ beforeGC }) => beforeGC.heapStatistics);
  return {
    heap: Math.max(end.heapUsed, ...states.map((state) => state.usedHeapSize)) - heapUsed,
    buffers: Math.max(end.external, ...states.map((state) => state.externalMemory)) - external,
  };
}

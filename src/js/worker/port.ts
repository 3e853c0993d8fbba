/** The two ends of a worker, whichever kind of worker the environment has. */

/** What goes over to the other side instead of being copied. */
export type Transfers = readonly Transferable[];

export interface Port {
  post(message: unknown, transfers: Transfers): void;
  listen(take: (message: unknown) => void): void;
}

/** The end that started the worker. */
export interface WorkerPort extends Port {
  /** Told once, when the worker cannot be used any more. */
  onFailure(failed: (error: unknown) => void): void;
  /** Whether the program is to stay alive for the worker's sake; pages stay alive anyway. */
  hold(held: boolean): void;
  end(): void;
}

/** What is used of a worker of `node:worker_threads`, which Deno and Bun have too. */
interface NodeEnd {
  postMessage(message: unknown, transfers: readonly unknown[]): void;
  on(event: string, listener: (value: unknown) => void): void;
}

interface NodeWorker extends NodeEnd {
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface NodeThreads {
  readonly Worker: new (url: URL, options: { execArgv: string[] }) => NodeWorker;
  readonly parentPort: NodeEnd | null;
}

/** The module of threads where the environment has one and is no page. Asked for at run time, for bundlers' sake. */
function nodeThreads(): NodeThreads | undefined {
  const { process, document } = globalThis as {
    process?: { getBuiltinModule?(name: string): unknown };
    document?: unknown;
  };
  if (document !== undefined) return undefined;
  return process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined;
}

/** The script where no bundler has moved it: said so that none takes it for an asset. */
function scriptUrl(): URL {
  const here: string = import.meta.url;
  return new URL('./worker-thread.js', here);
}

/** Starts the worker of this package. */
export function startWorker(): WorkerPort {
  const threads = nodeThreads();
  // Arguments of the program, such as --input-type, may not fit the worker's script.
  if (threads !== undefined) return nodeWorker(new threads.Worker(scriptUrl(), { execArgv: [] }));
  return webWorker(makeWebWorker());
}

function makeWebWorker(): Worker {
  try {
    // Bundlers look for exactly this expression.
    return new Worker(new URL('./worker-thread.js', import.meta.url), { type: 'module' });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SecurityError') throw error;
  }
  // From another origin only the script of a script may come.
  const script = new Blob([`import ${JSON.stringify(scriptUrl().href)};`], { type: 'text/javascript' });
  const url = URL.createObjectURL(script);
  const worker = new Worker(url, { type: 'module' });
  worker.addEventListener('message', () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

function webWorker(worker: Worker): WorkerPort {
  return {
    post: (message, transfers) => worker.postMessage(message, transfers as Transferable[]),
    listen: (take) => worker.addEventListener('message', ({ data }) => take(data)),
    onFailure(failed) {
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        failed(event.error ?? new Error(event.message || 'its script could not be loaded'));
      });
      worker.addEventListener('messageerror', () => failed(new Error('a message could not be read')));
    },
    hold() {},
    end: () => worker.terminate(),
  };
}

function nodeWorker(worker: NodeWorker): WorkerPort {
  return {
    post: (message, transfers) => worker.postMessage(message, transfers),
    listen: (take) => worker.on('message', take),
    onFailure(failed) {
      worker.on('error', failed);
      worker.on('messageerror', failed);
      worker.on('exit', (code) => failed(new Error(`it ended with code ${String(code)}`)));
    },
    hold: (held) => (held ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}

/** The worker's own end. */
export function ownPort(): Port {
  const parent = nodeThreads()?.parentPort;
  if (parent !== undefined && parent !== null) {
    return {
      post: (message, transfers) => parent.postMessage(message, transfers),
      listen: (take) => parent.on('message', take),
    };
  }
  const scope = globalThis as unknown as Worker;
  return {
    post: (message, transfers) => scope.postMessage(message, transfers as Transferable[]),
    listen: (take) => scope.addEventListener('message', ({ data }) => take(data)),
  };
}

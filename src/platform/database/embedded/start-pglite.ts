import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { EmbeddedSession } from './bridge.ts';
import { watchStatements } from './statement-watch.ts';

export type PgliteSession = EmbeddedSession & {
  close(): Promise<void>;
};

export type Request =
  | { readonly kind: 'open'; readonly folder: string }
  | { readonly kind: 'run'; readonly group: Uint8Array; readonly timeoutMs: number }
  | { readonly kind: 'close' };

/** `result`: bytes for `open` (the greeting) and `run`. */
export type Answer =
  | { readonly result: Uint8Array | undefined }
  /** After a failed `run` the engine has crashed. */
  | { readonly failure: unknown };

/**
 * V8 compiles WebAssembly that is called often a second time, with optimizations, which for one function of
 * PGlite takes 600 MB for two seconds. Without these optimizations, statements take about a third more
 * processor time. The flags hold for all WebAssembly of this process that is compiled from then on; nothing
 * else in it counts.
 */
const COMPILE_ONCE = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const THREAD = new URL(`./pglite-thread.${EXTENSION}`, import.meta.url);

/**
 * Opens the PGlite database of a folder, in a thread of its own; creates it if there is none.
 * The thread keeps the process alive only while it works.
 */
export async function startPglite(folder: string): Promise<PgliteSession> {
  for (const flag of COMPILE_ONCE) setFlagsFromString(flag);
  const watch = watchStatements(THREAD);
  // Without the options of the process: a thread refuses some of them.
  const worker = new Worker(THREAD, { workerData: watch.watched, execArgv: [] });
  const thread = startThread(worker);
  try {
    const greeting = await bytesOf({ kind: 'open', folder });
    return { greeting, run, close };
  } catch (error) {
    await end();
    throw error;
  }

  // A copy: where the group is part of a larger buffer, the whole buffer would be sent.
  function run(group: Buffer, timeoutMs: number): Promise<Buffer> {
    return bytesOf({ kind: 'run', group: new Uint8Array(group), timeoutMs });
  }

  async function bytesOf(request: Request): Promise<Buffer> {
    const { buffer } = (await thread.ask(request)) as Uint8Array<ArrayBuffer>;
    return Buffer.from(buffer);
  }

  async function close(): Promise<void> {
    try {
      await thread.ask({ kind: 'close' });
    } finally {
      await end();
    }
  }

  async function end(): Promise<void> {
    watch.close();
    await thread.end();
  }
}

type Thread = {
  /** Rejects with what the thread failed with; once it has ended, immediately. */
  ask(request: Request): Promise<Uint8Array | undefined>;
  end(): Promise<void>;
};

function startThread(worker: Worker): Thread {
  /** In the order of the answers. */
  let waiting: PromiseWithResolvers<Uint8Array | undefined>[] = [];
  let death: unknown;

  worker.on('message', (answer: Answer) => {
    const asked = waiting.shift();
    if (waiting.length === 0) worker.unref();
    if ('failure' in answer) asked?.reject(answer.failure);
    else asked?.resolve(answer.result);
  });
  worker.on('error', die);
  worker.on('exit', () => die(new Error('the thread of the embedded database has ended')));

  return {
    async ask(request) {
      if (death !== undefined) throw death;
      const asked = Promise.withResolvers<Uint8Array | undefined>();
      waiting.push(asked);
      worker.ref();
      worker.postMessage(request);
      return asked.promise;
    },
    async end() {
      await worker.terminate();
    },
  };

  function die(error: unknown): void {
    death ??= error;
    for (const { reject } of waiting) reject(death);
    waiting = [];
  }
}

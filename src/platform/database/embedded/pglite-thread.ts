import { parentPort, workerData } from 'node:worker_threads';
import { openPglite, type PgliteEngine } from './pglite.ts';
import type { Answer, Request } from './start-pglite.ts';
import type { Watched } from './statement-watch.ts';

/* The thread that PGlite runs in. It answers one request after another; the first one opens the database. */

// Only startPglite starts it.
const watched = workerData as Watched;
let engine: PgliteEngine | undefined;
let work = Promise.resolve();

parentPort?.on('message', (request: Request) => {
  work = work.then(() => answer(request));
});

async function answer(request: Request): Promise<void> {
  try {
    const result = await respond(request);
    parentPort?.postMessage({ result } satisfies Answer, result instanceof Uint8Array ? [result.buffer] : []);
  } catch (error) {
    parentPort?.postMessage({ failure: sendable(error) } satisfies Answer);
  }
}

async function respond(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request.kind === 'open') {
    engine = await openPglite(request.folder, watched);
    return engine.greeting;
  }
  if (request.kind === 'run') return engine?.run(request.group, request.timeoutMs);
  await engine?.close();
  return undefined;
}

/** PGlite also throws objects that are no errors and have methods, which cannot be sent. */
function sendable(error: unknown): unknown {
  return error instanceof Error ? error : JSON.parse(JSON.stringify(error ?? null));
}

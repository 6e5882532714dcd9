import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { isOverdue, type Watched } from './statement-watch.ts';

const CHECK_INTERVAL_MS = 200;

// Only startWorker creates it.
const { deadline, event } = workerData as Watched;
const cell = new BigInt64Array(deadline);

setInterval(() => {
  if (isOverdue(cell)) interruptMainThread();
}, CHECK_INTERVAL_MS);

/** Connects for this one call: with an open session, an exiting process prints that it waits for a debugger. */
function interruptMainThread(): void {
  const session = new Session();
  session.connectToMainThread();
  const expression = `process.emit(${JSON.stringify(event)})`;
  session.post('Runtime.evaluate', { expression }, () => session.disconnect());
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../src/platform/log.ts';
import { createChanges } from '../../../src/platform/work/changes.ts';
import { readingFor } from '../visit-call.ts';
import { findTask, type Open } from './read-task.ts';

/** The least time between two reads. */
const REREAD_MS = 1_000;

type State = Awaited<ReturnType<typeof findTask>> & {
  /** With the rights that the caller had when the task was read. */
  readonly reading: Open;
};

/**
 * Yields a task as it is, then with every change, until the signal aborts; each time it is read with the rights that the
 * caller still has. Changes that come faster than once a second are merged. @throws Fault not_found, unauthenticated
 */
export async function* followTask(
  id: string,
  { app, visit, choice }: Open,
  log: Log,
  signal: AbortSignal,
): AsyncGenerator<State> {
  const changes = createChanges();
  const watch = changes.watch(id, signal);
  const stop = app.notices.hear((notice) => {
    if (notice === 'missed' || notice.payload.split(' ')[0] === id) changes.notify(id);
  });
  try {
    for (; !signal.aborted; await watch.next()) {
      const caller = await app.credentials.renew(visit.caller);
      const reading = readingFor({ app, log }, { visit: { ...visit, caller }, choice }, signal);
      yield { ...(await findTask(id, reading)), reading };
      await delay(REREAD_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  } finally {
    stop();
    watch.close();
  }
}

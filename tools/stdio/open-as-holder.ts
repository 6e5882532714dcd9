import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { reachHolder } from '../../src/platform/shared-folder/reach-holder.ts';

/** How long the holder may take to end its calls and close the database, in milliseconds. */
const LEAVING_MS = 60_000;
/** Another process may be faster, or take the data just now: then it is asked too. */
const TRIES = 5;
const PAUSE_MS = 1_000;

/**
 * Opens the product for a server, which must have the database itself. An assistant's process that holds the
 * database is asked to close it; its next call goes to the server. Another server keeps it.
 * @throws what `open` throws; Fault unavailable.database_locked where another server holds the data
 */
export async function openAsHolder<App>(config: Config, open: () => Promise<App>): Promise<App> {
  for (let tries = 1; ; tries++) {
    const holder = config.databaseUrl === undefined ? await askToLeave(config.dataDir) : 'none';
    try {
      return await open();
    } catch (error) {
      const isLocked = error instanceof Fault && error.key === 'unavailable.database_locked';
      if (!isLocked || holder === 'stays' || tries === TRIES) throw error;
      if (holder === 'none') await delay(PAUSE_MS);
    }
  }
}

async function askToLeave(dataDir: string): Promise<'left' | 'stays' | 'none'> {
  const reached = await reachHolder(dataDir, { ask: 'leave' }, LEAVING_MS);
  if (!reached) return 'none';
  reached.socket.destroy();
  const { answer } = reached;
  const hasLeft =
    typeof answer === 'object' && answer !== null && 'state' in answer && answer.state === 'ready';
  return hasLeft ? 'left' : 'stays';
}

import { readdir, readFile } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { type BlankPage, openBlankPage } from './blank-page.ts';
import type { Launched } from './launch-browser.ts';

/** After how much use a page and a browser are replaced by new ones. */
export type RecycleLimits = {
  readonly pageUses: number;
  readonly browserUses: number;
  readonly browserMs: number;
  readonly browserBytes: number;
};

/** One browser with the pages it has open. */
export type RunningBrowser = {
  readonly launched: Launched;
  /** False when it is gone or worn out: then another is to be started for the next use. */
  isUsable(): boolean;
  /** An empty page, kept from an earlier use or new. */
  acquire(): Promise<BlankPage>;
  /** Takes a page back: to be used again, or ended, since what it did is not over. */
  release(page: BlankPage, how: 'used' | 'spoiled'): Promise<void>;
  /** Closes it when its last page has come back. */
  retire(): void;
};

const MEMORY_CHECK_INTERVAL = 50;

export function runBrowser(launched: Launched, wear: RecycleLimits, log: Log): RunningBrowser {
  const { chromium } = launched;
  const startedAt = performance.now();
  const idle: BlankPage[] = [];
  const uses = new Map<BlankPage, number>();
  let lent = 0;
  let total = 0;
  let retired = false;
  let isOverMemory = false;

  return { launched, isUsable, acquire, release, retire };

  function isUsable(): boolean {
    const young = total < wear.browserUses && performance.now() - startedAt < wear.browserMs;
    return !retired && !isOverMemory && young && chromium.connected;
  }

  async function acquire(): Promise<BlankPage> {
    lent++;
    total++;
    try {
      return idle.pop() ?? (await openBlankPage(chromium));
    } catch (error) {
      void countReturned();
      throw error;
    }
  }

  async function release(page: BlankPage, how: 'used' | 'spoiled'): Promise<void> {
    const count = (uses.get(page) ?? 0) + 1;
    uses.set(page, count);
    if (how === 'used' && count < wear.pageUses && isUsable() && (await wasReset(page))) idle.push(page);
    else await end(page);
    if (total % MEMORY_CHECK_INTERVAL === 0) await checkMemory();
    await countReturned();
  }

  async function countReturned(): Promise<void> {
    lent--;
    if (retired) await closeIfUnused();
  }

  async function wasReset(page: BlankPage): Promise<boolean> {
    return page.reset().then(
      () => true,
      () => false,
    );
  }

  async function end(page: BlankPage): Promise<void> {
    uses.delete(page);
    try {
      await page.end();
    } catch (error) {
      // A page that does not end would go on working; whoever else is at work in this browser starts over in another.
      if (chromium.connected && !retired)
        log.warn({ err: error }, 'a page did not end, so its browser is killed');
      launched.kill();
    }
  }

  // Weighing needs files to read, and there may be none to open: then it is done another time.
  async function checkMemory(): Promise<void> {
    const bytes = await processMemory(launched.pid).catch((error: unknown) => {
      log.warn({ err: error }, 'the memory of the browser was not weighed');
      return undefined;
    });
    if (bytes !== undefined && bytes > wear.browserBytes) isOverMemory = true;
  }

  function retire(): void {
    retired = true;
    void closeIfUnused();
  }

  async function closeIfUnused(): Promise<void> {
    if (lent > 0) return;
    await launched.close().catch((error: unknown) => log.warn({ err: error }, 'a browser did not close'));
  }
}

const PAGE_BYTES = 4096;

/**
 * Resident memory in bytes of a process and all its descendants, without what they share with others.
 * @returns undefined where there is no /proc
 */
export async function processMemory(root: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)));
  const family = pids.filter((pid) => descends(pid, root, parents));
  const sizes = await Promise.all(family.map(residentBytes));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (at === root) return true;
  return false;
}

// A process may end while it is read; then it has no parent and no memory.
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field is a name that may hold spaces and brackets; the parent is the second after it.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}

import { readdir, readFile } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { type BlankPage, openBlankPage } from './blank-page.ts';
import type { Launched } from './launch-browser.ts';

/** Limits after which a page or browser is replaced. */
export type RecycleLimits = {
  readonly pageUses: number;
  readonly browserUses: number;
  readonly browserMs: number;
  readonly browserBytes: number;
};

/** One browser with its open pages. */
export type RunningBrowser = {
  readonly launched: Launched;
  /** False when the browser is gone or used up; the next caller then needs another. */
  isUsable(): boolean;
  /** Returns an empty page, reused or new. */
  acquire(): Promise<BlankPage>;
  /** Resets a page for reuse, or closes it when it can't be reused. */
  release(page: BlankPage, how: 'used' | 'spoiled'): Promise<void>;
  /** Closes the browser when its last page was released. */
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
      // A page that does not close would keep working. Other callers of this browser retry in another one.
      if (chromium.connected && !retired)
        log.warn({ err: error }, 'a page did not end, so its browser is killed');
      launched.kill();
    }
  }

  // Reading /proc can fail when no file can be opened; the next check tries again.
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
 * Resident memory in bytes of a process and its descendants, without shared memory.
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

// A process may end while it is read; it then has no parent and no memory.
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field is a name that may contain spaces and brackets; the parent is two fields later.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}

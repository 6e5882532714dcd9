import { createHash } from 'node:crypto';
import type { App } from '../../../src/app.ts';
import { Fault, type FaultKey } from '../../../src/errors.ts';
import type { Log } from '../../../src/platform/log.ts';
import type { Notice } from '../../../src/platform/notices.ts';
import { createThrottle } from './throttle.ts';

/** Resources that one conversation may follow. */
export const MAX_SUBSCRIPTIONS = 100;

/** What a conversation follows changes with. Each reads with the rights that its caller had at the last renewal. */
type FollowedReads = {
  /** Asks which rights the caller still has. @throws Fault unauthenticated when there are none */
  renew(): Promise<void>;
  /** The content of a resource now. @throws what reading it throws */
  read(uri: string): Promise<unknown>;
  /** The resources that a list shows now. */
  list(): Promise<unknown>;
};

/** What an address shows. */
export type Subject = {
  /** The same for every spelling of the address. */
  readonly key: string;
  /** The ID of the work that it shows; undefined for what belongs to templates. */
  readonly work: string | undefined;
};

/** Counts what the conversations of an account hold in this process, such as the addresses that they follow. */
export type Allowance = {
  /** @throws Fault of the allowance, where the account holds as many as it may */
  take(accountId: string): void;
  giveBack(accountId: string): void;
};

export function createAllowance(
  limit = 2_000,
  fault: FaultKey = 'conflict.subscriptions_of_account',
): Allowance {
  const taken = new Map<string, number>();
  return {
    take(accountId) {
      const count = taken.get(accountId) ?? 0;
      if (count >= limit) throw new Fault(fault, { limit });
      taken.set(accountId, count + 1);
    },
    giveBack(accountId) {
      const count = taken.get(accountId) ?? 0;
      if (count > 1) taken.set(accountId, count - 1);
      else taken.delete(accountId);
    },
  };
}

type Parts = FollowedReads & {
  readonly app: Pick<App, 'notices'>;
  readonly log: Log;
  readonly accountId: string;
  readonly subjectOf: (uri: string) => Subject;
  /** Where the addresses that an account follows are counted. */
  readonly allowance?: Allowance | undefined;
  /** Called for a resource that has changed, once at a time. */
  readonly onUpdated: (uri: string) => Promise<void>;
  readonly onListChanged: () => Promise<void>;
  /** The caller has lost its rights. */
  readonly onEnd: () => void;
};

export type Subscriptions = {
  /**
   * Follows a resource; one that is followed by another spelling of its address is told by this one from now on.
   * @throws Fault conflict.subscriptions_full, conflict.subscriptions_of_account, and what reading it throws
   */
  add(uri: string): Promise<void>;
  /** Whether changes are told by this very spelling. */
  tells(uri: string): boolean;
  remove(uri: string): void;
  /** Follows the list of resources. */
  addList(): Promise<void>;
  close(): void;
};

type Followed = {
  /** As the client wrote it. */
  uri: string;
  readonly work: string | undefined;
  /**
   * The content it showed; changes of work are reported without reading it, since its notices are always
   * visible changes.
   */
  print: string;
};

/** Channels whose notices are the ID of work. */
const OF_WORK = ['jobs', 'videos', 'sync_runs'];
/** In the place of an ID of work, for addresses that show templates. */
const TEMPLATES = '';

/**
 * The resources that one conversation follows.
 *
 * In: notices of every node. Out: the addresses of resources that have changed. A notice only says where to look: what an
 * address shows is read again with the rights that the caller still has, so nothing is told of what the caller may not read,
 * and a change that does not show is not told. Changes that come faster than once a second are merged, and so is what a slow
 * client has not taken yet: what waits is at most one entry for each resource.
 * Invariant: memory is bounded by the number of followed resources, however many changes there are.
 */
export function createSubscriptions(parts: Parts): Subscriptions {
  const { app, log, accountId, subjectOf, allowance, onUpdated, onListChanged } = parts;
  /** By the key of the subject. */
  const followed = new Map<string, Followed>();
  /** The keys by what a notice names, so that a notice costs the same however many addresses are followed. */
  const concerned = new Map<string, Set<string>>();
  const dirty = new Set<string>();
  let list: string | undefined;
  let isListDirty = false;
  let isClosed = false;
  const throttle = createThrottle(flush);
  const stop = app.notices.hear((notice) => {
    for (const key of keysOf(notice)) dirty.add(key);
    if (list !== undefined && isOfTemplates(notice)) isListDirty = true;
    if (dirty.size > 0 || isListDirty) throttle.request();
  });

  return {
    async add(uri) {
      if (isClosed) return;
      const { key, work } = subjectOf(uri);
      // Before it is read, so that a change in between is not missed.
      const one = followed.get(key) ?? begin(key, { uri, work, print: '' });
      try {
        const print = printOf(await parts.read(uri));
        Object.assign(one, { uri, print });
      } catch (error) {
        if (followed.get(key) === one) drop(key);
        throw error;
      }
    },
    tells: (uri) => followed.get(subjectOf(uri).key)?.uri === uri,
    remove: (uri) => drop(subjectOf(uri).key),
    async addList() {
      list ??= printOf(await parts.list());
    },
    close,
  };

  function close(): void {
    stop();
    throttle.close();
    isClosed = true;
    for (const key of [...followed.keys()]) drop(key);
  }

  function begin(key: string, one: Followed): Followed {
    if (followed.size >= MAX_SUBSCRIPTIONS)
      throw new Fault('conflict.subscriptions_full', { limit: MAX_SUBSCRIPTIONS });
    allowance?.take(accountId);
    followed.set(key, one);
    const { work = TEMPLATES } = one;
    concerned.set(work, (concerned.get(work) ?? new Set()).add(key));
    return one;
  }

  function drop(key: string): void {
    const { work = TEMPLATES } = followed.get(key) ?? {};
    if (followed.delete(key)) allowance?.giveBack(accountId);
    concerned.get(work)?.delete(key);
    if (concerned.get(work)?.size === 0) concerned.delete(work);
    dirty.delete(key);
  }

  function keysOf(notice: Notice): Iterable<string> {
    if (notice === 'missed') return followed.keys();
    if (isOfTemplates(notice)) return concerned.get(TEMPLATES) ?? [];
    const [work = TEMPLATES] = OF_WORK.includes(notice.channel) ? notice.payload.split(' ') : [];
    return work === TEMPLATES ? [] : (concerned.get(work) ?? []);
  }

  function isOfTemplates(notice: Notice): boolean {
    if (notice === 'missed') return true;
    return notice.channel === 'templates' && notice.payload === accountId;
  }

  async function flush(): Promise<void> {
    const rights = await rightsNow();
    if (rights === 'lost') {
      close();
      return parts.onEnd();
    }
    // Told with the next change: the database is not responding.
    if (rights === 'unknown') return;
    const changed = [...dirty];
    dirty.clear();
    for (const key of changed) {
      const one = followed.get(key);
      if (one && (await hasChanged(key, one))) await onUpdated(one.uri);
    }
    if (isListDirty) await announceList();
  }

  async function rightsNow(): Promise<'held' | 'lost' | 'unknown'> {
    try {
      await parts.renew();
      return 'held';
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') return 'lost';
      log.debug({ err: error }, 'changes are told later');
      return 'unknown';
    }
  }

  async function announceList(): Promise<void> {
    isListDirty = false;
    const before = list;
    list = printOf(await parts.list().catch(() => ''));
    if (list !== before) await onListChanged();
  }

  async function hasChanged(key: string, one: Followed): Promise<boolean> {
    if (one.work !== undefined) return true;
    const before = one.print;
    const now = await parts.read(one.uri).then(printOf, printOfFault);
    if (followed.get(key) !== one || now === 'withheld' || now === before) return false;
    // What could not be read may have changed.
    one.print = now ?? '';
    return true;
  }
}

function printOfFault(error: unknown): 'gone' | 'withheld' | undefined {
  if (!(error instanceof Fault)) return undefined;
  if (error.code === 'not_found') return 'gone';
  return error.code === 'insufficient_scope' ? 'withheld' : undefined;
}

function printOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64');
}

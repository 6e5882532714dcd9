import { LRUCache } from 'lru-cache';
import type { Sql, Tx } from '../platform/database/database.ts';
import { plainAddress } from '../platform/ip-allowlist.ts';
import type { Log } from '../platform/log.ts';
import * as membershipRepo from './members/membership-repo.ts';
import { describeDevice } from './sessions/device-name.ts';
import type { SignInOrigin } from './sessions/sessions.ts';
import * as userRepo from './users/user-repo.ts';

/** What happened to somebody's access. Those in REPEATABLE can be caused by strangers, so they are limited. */
export type SecurityAction =
  | 'sign_in.succeeded'
  | 'sign_in.refused'
  | 'sign_in.limited'
  | 'sign_in.code_requested'
  | 'reauthentication.succeeded'
  | 'reauthentication.refused'
  | 'session.ended'
  | 'session.refused'
  | 'password.changed'
  | 'email.changed'
  | 'api_key.refused'
  | 'token.refused'
  | 'request.refused';

type Detail = Readonly<Record<string, string | number | boolean>>;

/** Whose account the row goes to: a person's home account, or that of a key. No one's is a line in the log alone. */
export type Subject =
  | { readonly userId: string }
  | { readonly email: string }
  | { readonly accountId: string; readonly actor: string; readonly target: string }
  | undefined;

type JournalDeps = {
  readonly sql: Sql;
  readonly log: Pick<Log, 'info'>;
  readonly record: (
    tx: Tx,
    accountId: string,
    event: { actor: string; action: string; target: string; from?: string; to?: string; detail?: Detail },
  ) => Promise<void>;
  readonly now?: () => number;
};

type Change = { readonly from?: string; readonly to?: string };

export type SecurityJournal = ReturnType<typeof createSecurityJournal>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Rows of one action that strangers can cause in one account, an hour and node. */
const MAX_ROWS = 20;
/** Lines of one action in the log, a minute and node. */
const MAX_LINES = 60;
const MAX_CHARS = 200;

/**
 * Records sign-ins, refusals and changes of credentials: a row in the audit log of the account, where one is known, and
 * a line in the log. Both name the address, and neither a secret, a token, or an email address no one here has.
 */
export function createSecurityJournal({ sql, log, record, now = Date.now }: JournalDeps) {
  const rows = createCeiling(MAX_ROWS, HOUR_MS, now);
  const lines = createCeiling(MAX_LINES, MINUTE_MS, now);
  const writing = new Set<Promise<void>>();

  function writeLine(action: SecurityAction, origin: SignInOrigin, fields: object): void {
    const left = lines.take(action);
    if (left === 'none') return;
    const address = plainAddress(origin.address ?? '') ?? null;
    const muted = left === 'last' ? { muted_seconds: MINUTE_MS / 1000 } : {};
    log.info({ event: action, address, ...shortened(fields), ...muted }, 'security event');
  }

  async function holderOf(subject: Subject) {
    if (!subject || 'accountId' in subject) return subject;
    const user =
      'userId' in subject
        ? { id: subject.userId, email: null }
        : await userRepo.findByEmail(sql, subject.email);
    const home = user && (await membershipRepo.find(sql, user.id, null));
    return home && { accountId: home.account_id, actor: user.email ?? user.id, target: user.id };
  }

  async function write(
    action: SecurityAction,
    subject: Subject,
    origin: SignInOrigin,
    detail: Detail,
    { change = {}, limited }: { change?: Change; limited: boolean },
  ): Promise<void> {
    const holder = await holderOf(subject);
    const ids = holder && { account: holder.accountId, target: holder.target };
    writeLine(action, origin, { ...ids, ...detail });
    if (!holder) return;
    const left = limited ? rows.take(`${action} ${holder.accountId}`) : 'more';
    if (left === 'none') return;
    const { accountId, actor, target } = holder;
    const place = {
      address: plainAddress(origin.address ?? '') ?? '',
      device: describeDevice(origin.userAgent),
    };
    const muted = left === 'last' ? { muted_seconds: HOUR_MS / 1000 } : {};
    const event = { actor, action, target, ...change, detail: { ...place, ...detail, ...muted } };
    await sql.begin((tx) => record(tx, accountId, event));
  }

  return {
    /** Records what a person did, before the caller hears of it. */
    record: (
      action: SecurityAction,
      subject: Subject,
      origin: SignInOrigin,
      detail: Detail = {},
      change: Change = {},
    ): Promise<void> => write(action, subject, origin, detail, { change, limited: false }),

    /**
     * Records what anyone can cause, in the background: the response takes as long for an address no one has. After so
     * many an hour, one row says that more are not recorded.
     */
    note(action: SecurityAction, subject: Subject, origin: SignInOrigin, detail: Detail = {}): void {
      const written = write(action, subject, origin, detail, { limited: true })
        .catch((error: unknown) => writeLine(action, origin, { ...detail, unrecorded: String(error) }))
        .finally(() => writing.delete(written));
      writing.add(written);
    },

    /** Waits for what is being written in the background. */
    async close(): Promise<void> {
      await Promise.all(writing);
    },
  };
}

/** What a client sent, such as its origin, cannot fill the log. */
function shortened(fields: object): object {
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_CHARS) : value);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, short(value)]));
}

/** Counts by key in fixed windows: `more` until the last one, then `none` until the window ends. */
function createCeiling(max: number, windowMs: number, now: () => number) {
  const windows = new LRUCache<string, { since: number; count: number }>({ max: 10_000 });
  return {
    take(key: string): 'more' | 'last' | 'none' {
      const known = windows.get(key);
      const current = known && now() - known.since < windowMs ? known : { since: now(), count: 0 };
      current.count += 1;
      windows.set(key, current);
      if (current.count > max) return 'none';
      return current.count === max ? 'last' : 'more';
    },
  };
}

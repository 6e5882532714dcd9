import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { CredentialKind } from './credential-kind.ts';
import { refreshMember } from './renew-member.ts';
import { scopesOf } from './roles.ts';
import { createSessionStore, type SessionRow } from './session-repo.ts';

/** Where somebody signs in, kept with the session. */
export type SignInOrigin = {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
};

/** A token, shown this once. `expiresAt` moves on while it is used. */
type IssuedToken = { readonly token: string; readonly expiresAt: Date };

export type Sessions = CredentialKind & {
  /**
   * Signs a person in to an account. `passwordHash` is theirs as it was when they proved who they are; undefined when
   * they have another by now.
   */
  open(
    person: { userId: string; accountId: string; passwordHash: string | null },
    place: SignInOrigin,
  ): Promise<(IssuedToken & { readonly sessionId: string }) | undefined>;
  /** Another token for the same session; the old one is dead. @throws Fault unauthenticated.wrong, token_expired.session */
  refresh(token: string): Promise<IssuedToken>;
  end(userId: string, sessionId: string): Promise<void>;
  endAll(userId: string): Promise<void>;
  /** Forgets what is known of all sessions; called on every node when one ends or a membership changes. */
  forget(): void;
  sweep(): Promise<void>;
};

const DAY_MS = 86_400_000;
const SESSION_TTL_MS = 30 * DAY_MS;
/** How long an expired session is still told from one there never was. */
const EXPIRED_RETENTION_MS = 7 * DAY_MS;
// What ends is forgotten at once by a notification; the time only bounds what a lost one can do.
const CACHE_TTL_MS = 60_000;
const MARK_USED_MS = 60_000;
const MAX_USER_AGENT_LENGTH = 300;

/**
 * Sessions of people: `ses_` and 256 random bits, of which only the SHA-256 is stored. One ends 30 days after it was
 * last used, with its user, or when the user says so.
 */
export function createSessions({ sql, now = Date.now }: { sql: Sql; now?: () => number }): Sessions {
  const store = createSessionStore(sql);
  const kept = new LRUCache<string, SessionRow>({ max: 10_000, ttl: CACHE_TTL_MS });
  // How often everything was forgotten: an answer that was on its way meanwhile may be of before.
  let forgotten = 0;

  function forget(): void {
    forgotten++;
    kept.clear();
  }

  const isLive = (row: SessionRow) => row.expires_at.getTime() > now();

  async function find(token: string, account: string | undefined): Promise<SessionRow | undefined> {
    const sha256 = hash('sha256', token);
    const key = `${sha256} ${account ?? ''}`;
    const known = kept.get(key);
    // One that seems over may have been used on another node.
    if (known && isLive(known)) return known;
    const asked = forgotten;
    const row = await store.find(sha256, account ?? null);
    if (row && asked === forgotten) kept.set(key, row);
    return row;
  }

  async function live(token: string, account?: string): Promise<SessionRow> {
    const row = await find(token, account);
    if (!row) throw new Fault('unauthenticated.wrong');
    if (!isLive(row)) throw new Fault('token_expired.session');
    return row;
  }

  function markUsed(row: SessionRow): void {
    const moment = now();
    if (moment - row.last_used_at.getTime() < MARK_USED_MS) return;
    // Of the row that is kept, so that it is written once a minute here. No call waits or fails for it.
    row.last_used_at = new Date(moment);
    row.expires_at = new Date(moment + SESSION_TTL_MS);
    store.markUsed(row.id, row.last_used_at, row.expires_at).catch(forget);
  }

  return {
    async open({ userId, accountId, passwordHash }, { address, userAgent }) {
      const token = newToken();
      const sessionId = newId('ses');
      const created_at = new Date(now());
      const expiresAt = new Date(now() + SESSION_TTL_MS);
      const session = {
        id: sessionId,
        token_sha256: hash('sha256', token),
        user_id: userId,
        account_id: accountId,
        user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
        address: address ?? null,
        created_at,
        expires_at: expiresAt,
      };
      const opened = await store.insert(session, passwordHash);
      return opened ? { token, sessionId, expiresAt } : undefined;
    },

    async refresh(token) {
      await live(token);
      const fresh = newToken();
      const expiresAt = new Date(now() + SESSION_TTL_MS);
      const hashes = [hash('sha256', token), hash('sha256', fresh)] as const;
      const rotated = await store.rotate(...hashes, new Date(now()), expiresAt);
      forget();
      // Another call with the same token was faster.
      if (!rotated) throw new Fault('unauthenticated.wrong');
      return { token: fresh, expiresAt };
    },

    async end(userId, sessionId) {
      await store.end(userId, sessionId);
      forget();
    },

    async endAll(userId) {
      await store.endAll(userId);
      forget();
    },

    async resolve(token, { account }) {
      const row = await live(token, account);
      const { id: sessionId, user_id: userId, account_id: accountId, role } = row;
      if (accountId === null || role === null) {
        if (account === undefined) throw new Fault('unauthenticated.wrong');
        throw new Fault('not_found.account', { id: account });
      }
      markUsed(row);
      const actor = row.email ?? (row.name || userId);
      return { accountId, actor, scopes: scopesOf(role), via: 'session', userId, sessionId };
    },

    renew: (caller) => refreshMember(sql, caller),

    forget,

    sweep: () => store.deleteExpired(new Date(now() - EXPIRED_RETENTION_MS)),
  };
}

function newToken(): string {
  return `ses_${randomBytes(32).toString('base64url')}`;
}

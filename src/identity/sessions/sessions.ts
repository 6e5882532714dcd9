import { hash, randomBytes } from 'node:crypto';
import { Fault } from '../../errors.ts';
import type { Listener, Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createNotifiedCache } from '../../platform/notified-cache.ts';
import { type CredentialKind, refreshMember } from '../credentials.ts';
import { scopesOf } from '../members/roles.ts';
import { describeDevice } from './device-name.ts';
import type { SessionRow } from './session-repo.ts';
import * as sessionRepo from './session-repo.ts';

/** Where somebody signs in, kept with the session. */
export type SignInOrigin = {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** The token that this browser was given as a device, if it sent one. */
  readonly device?: string | undefined;
};

/** A session as its person sees it. */
export type ListedSession = {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly address: string | null;
  /** Browser and system, such as `Firefox, Windows`. */
  readonly device: string;
  readonly current: boolean;
};

/** A token, shown this once. `expiresAt` moves on while it is used. */
type IssuedToken = { readonly token: string; readonly expiresAt: Date };

export type Sessions = CredentialKind & {
  /**
   * Signs a person in to an account. `passwordHash` is the hash that was current when they authenticated.
   * Returns undefined if it has changed since.
   */
  open(
    person: { userId: string; accountId: string; passwordHash: string | null },
    place: SignInOrigin,
  ): Promise<(IssuedToken & { readonly sessionId: string }) | undefined>;
  /** Another token for the same session; the old one is dead. @throws Fault unauthenticated.wrong, token_expired.session */
  refresh(token: string): Promise<IssuedToken>;
  list(userId: string, currentId: string | undefined): Promise<ListedSession[]>;
  /** The person has authenticated again. False when the session or their password is another by now. */
  markAuthenticated(userId: string, sessionId: string, passwordHash: string | null): Promise<boolean>;
  /** False when the person has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Given a transaction, with what else it changes. */
  endAll(userId: string, tx?: Tx): Promise<void>;
  /** Whose a token is, even if it has expired. */
  holderOf(token: string): Promise<{ readonly userId: string } | undefined>;
  /** Invalidates what this node knows; the listeners do on every node when a session or membership ends. */
  invalidate(): void;
  readonly listeners: readonly Listener[];
  sweep(): Promise<void>;
};

const DAY_MS = 86_400_000;
/** How long a sign-in is proof enough for what cannot be undone. */
export const FRESH_MS = 10 * 60_000;
const SESSION_TTL_MS = 30 * DAY_MS;
/** However much it is used. */
const SESSION_MAX_MS = 90 * DAY_MS;
/** How long an expired session is still told from one there never was. */
const EXPIRED_RETENTION_MS = 7 * DAY_MS;
const CACHE_TTL_MS = 60_000;
const MARK_USED_MS = 60_000;
const MAX_USER_AGENT_LENGTH = 300;

/**
 * Sessions of people: `ses_` and 256 random bits, of which only the SHA-256 is stored. One ends 30 days after it was
 * last used, 90 days after the sign-in, with its user, or when the user says so.
 * In: a person who has authenticated, or a token. Out: a token, or the caller it stands for. Invariant: a session that
 * has ended opens nothing on any node.
 */
export function createSessions({ sql, now = Date.now }: { sql: Sql; now?: () => number }): Sessions {
  const isLive = (row: SessionRow) => row.expires_at.getTime() > now();
  // A session that seems expired may have been used on another node, so it is loaded again.
  const cache = createNotifiedCache<SessionRow>({
    max: 10_000,
    ttlMs: CACHE_TTL_MS,
    channels: ['sessions'],
    isFresh: isLive,
  });

  function find(token: string, account: string | undefined): Promise<SessionRow | undefined> {
    const sha256 = hash('sha256', token);
    return cache.get(`${sha256} ${account ?? ''}`, () => sessionRepo.find(sql, sha256, account ?? null));
  }

  async function live(token: string, account?: string): Promise<SessionRow> {
    const row = await find(token, account);
    if (!row) throw new Fault('unauthenticated.wrong');
    if (!isLive(row)) throw new Fault('token_expired.session');
    return row;
  }

  /** When a session ends that is used now. */
  function endOf({ created_at }: { created_at: Date }): Date {
    return new Date(Math.min(now() + SESSION_TTL_MS, created_at.getTime() + SESSION_MAX_MS));
  }

  function markUsed(row: SessionRow): void {
    const moment = now();
    if (moment - row.last_used_at.getTime() < MARK_USED_MS) return;
    // Of the row that is kept, so that it is written once a minute here. No call waits or fails for it.
    row.last_used_at = new Date(moment);
    row.expires_at = endOf(row);
    sessionRepo.markUsed(sql, row.id, row.last_used_at, row.expires_at).catch(() => cache.invalidate());
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
      const opened = await sessionRepo.insert(sql, session, passwordHash);
      return opened ? { token, sessionId, expiresAt } : undefined;
    },

    async refresh(token) {
      const row = await live(token);
      const fresh = newToken();
      const expiresAt = endOf(row);
      const hashes = [hash('sha256', token), hash('sha256', fresh)] as const;
      const rotated = await sessionRepo.rotate(sql, ...hashes, new Date(now()), expiresAt);
      cache.invalidate();
      // Another call with the same token was faster.
      if (!rotated) throw new Fault('unauthenticated.wrong');
      return { token: fresh, expiresAt };
    },

    async end(userId, sessionId) {
      const ended = await sessionRepo.end(sql, userId, sessionId);
      cache.invalidate();
      return ended;
    },

    async list(userId, currentId) {
      const rows = await sessionRepo.list(sql, userId, new Date(now()));
      return rows.map(({ id, user_agent, address, ...times }) => ({
        id,
        created_at: times.created_at.toISOString(),
        last_used_at: times.last_used_at.toISOString(),
        expires_at: times.expires_at.toISOString(),
        address,
        device: describeDevice(user_agent ?? ''),
        current: id === currentId,
      }));
    },

    async markAuthenticated(userId, sessionId, passwordHash) {
      const marked = await sessionRepo.markAuthenticated(
        sql,
        userId,
        sessionId,
        passwordHash,
        new Date(now()),
      );
      cache.invalidate();
      return marked;
    },

    async holderOf(token) {
      const row = await find(token, undefined);
      return row && { userId: row.user_id };
    },

    async endAll(userId, tx) {
      await sessionRepo.endAll(tx ?? sql, userId);
      cache.invalidate();
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
      const isFresh = now() - row.authenticated_at.getTime() <= FRESH_MS;
      const caller = { accountId, actor, scopes: scopesOf(role), userId, sessionId, role };
      return { ...caller, via: 'session', ...(isFresh && { fresh: true }) };
    },

    renew: (caller) => refreshMember(sql, caller),

    invalidate: cache.invalidate,
    listeners: cache.listeners,

    sweep: () => sessionRepo.deleteExpired(sql, new Date(now() - EXPIRED_RETENTION_MS)),
  };
}

function newToken(): string {
  return `ses_${randomBytes(32).toString('base64url')}`;
}

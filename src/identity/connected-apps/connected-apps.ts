import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createNotifiedCache } from '../../platform/notified-cache.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { APP_SCOPES, type Caller, SCOPES, type Scope } from '../caller.ts';
import type { Origin } from '../credentials.ts';
import * as membershipRepo from '../members/membership-repo.ts';
import { type RecordEvent, scopesOf } from '../members/roles.ts';
import type { ListedRow, TokenRow } from './connected-app-repo.ts';
import * as appRepo from './connected-app-repo.ts';

/** A program that a person let into the account by signing in. */
export const ConnectedApp = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'What the program calls itself' }),
  client_id: z.string().meta({ description: 'An https URL where the program published who it is' }),
  scopes: z.array(z.enum(SCOPES)),
  connected_by: z.string().meta({ description: 'The person who connected it' }),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().meta({ description: 'Time at which the person must connect it again' }),
});
export type ConnectedApp = z.output<typeof ConnectedApp>;

type Connection = {
  readonly grantId: string;
  readonly accountId: string;
  readonly userId: string;
  /** Who let it in, for the audit log. */
  readonly actor: string;
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
};

type Lister = Pick<Caller, 'accountId' | 'scopes' | 'userId' | 'keyHolder'>;

type Deps = { readonly sql: Sql; readonly record: RecordEvent; readonly now?: () => number };

export type ConnectedApps = ReturnType<typeof createConnectedApps>;

const DAY_MS = 86_400_000;
/** However much it is used, as with sessions. */
export const APP_TTL_MS = 90 * DAY_MS;
const CACHE_TTL_MS = 60_000;
const MARK_USED_MS = 60_000;
/** One client of a person in one account: their machines. */
const MAX_SAME_CLIENT = 20;
const MAX_NAME = 100;

/**
 * Programs that people let into an account by OAuth, and their access tokens as credentials. An app never does more than
 * the role of the person who let it in allows, and ends with their membership.
 * In: a grant, or a token. Out: an app of the account, or the caller a token stands for. Invariant: the database has
 * the SHA-256 of a token, never the token.
 */
export function createConnectedApps({ sql, record, now = Date.now }: Deps) {
  const cache = createNotifiedCache<TokenRow>({
    max: 10_000,
    ttlMs: CACHE_TTL_MS,
    channels: ['connected_apps', 'sessions'],
  });
  const marked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_USED_MS });

  function find(token: string): Promise<TokenRow | undefined> {
    const sha256 = hash('sha256', token);
    return cache.get(sha256, () => appRepo.findToken(sql, sha256));
  }

  function markUsed({ account_id, id }: TokenRow): void {
    if (marked.has(id)) return;
    marked.set(id, true);
    // Last use is accurate to a minute; no call waits for it or fails because of it.
    appRepo.markUsed(sql, account_id, id, new Date(now())).catch(() => marked.delete(id));
  }

  return {
    /** Remembers that a person let a program in. @throws Fault not_found.account for an account they are no member of */
    async connect({ grantId, accountId, userId, actor, clientId, name, scopes }: Connection): Promise<void> {
      const row = {
        id: newId('app'),
        grant_id: grantId,
        account_id: accountId,
        user_id: userId,
        client_id: clientId,
        name: plainName(name),
        scopes: [...scopes],
        expires_at: new Date(now() + APP_TTL_MS),
      };
      await sql.begin(async (tx: Tx) => {
        const membership = await membershipRepo.find(tx, userId, accountId);
        if (!membership) throw new Fault('not_found.account', { id: accountId });
        await appRepo.insert(tx, row);
        await appRepo.removeOldest(tx, row, MAX_SAME_CLIENT);
        await record(tx, accountId, {
          ...{ actor, action: 'connected_app.connected', target: row.id },
          to: row.name,
        });
        await appRepo.announce(tx);
      });
      cache.invalidate();
    },

    /** Newest first: a person's own, or all for those who manage keys. */
    async list(caller: Lister, request: PageRequest): Promise<Page<ConnectedApp>> {
      const { before, limit } = byNumber(request);
      const range = { userId: reachOf(caller), before, limit: limit + 1 };
      const rows = await appRepo.list(sql, caller.accountId, range);
      return pageOf(rows, limit, ({ seq }) => seq, present);
    },

    /** Ends an app with all its tokens, on every node. @throws Fault not_found.connected_app */
    async revoke(caller: Caller, id: string): Promise<void> {
      const { accountId, actor } = caller;
      await sql.begin(async (tx: Tx) => {
        const row = await appRepo.remove(tx, accountId, { id, userId: reachOf(caller) });
        if (!row) throw new Fault('not_found.connected_app', { id });
        await record(tx, accountId, { actor, action: 'connected_app.revoked', target: id, from: row.name });
      });
      cache.invalidate();
    },

    /** Ends the app of a grant: its client gave it up, or one of its secrets was used twice. */
    async endGrant(grantId: string): Promise<void> {
      await sql.begin(async (tx: Tx) => {
        const row = await appRepo.removeOfGrant(tx, grantId);
        if (!row) return;
        const event = { actor: `app:${row.name}`, action: 'connected_app.ended', target: row.id };
        await record(tx, row.account_id, { ...event, from: row.name });
      });
      cache.invalidate();
    },

    /** Makes every node forget the tokens it knows. */
    async announce(): Promise<void> {
      await appRepo.announce(sql);
      cache.invalidate();
    },

    /**
     * The caller of an access token. @throws Fault unauthenticated.wrong, unauthenticated.audience for a token for another
     * resource, token_expired.access, not_found.account
     */
    async resolve(token: string, { account, resources = [] }: Origin): Promise<Caller> {
      const row = await find(token);
      if (!row) throw new Fault('unauthenticated.wrong');
      if (Math.min(row.token_expires_at.getTime(), row.expires_at.getTime()) <= now())
        throw new Fault('token_expired.access');
      if (!resources.includes(row.audience)) throw new Fault('unauthenticated.audience');
      const { id: appId, account_id: accountId, user_id: keyHolder, name, role } = row;
      if (account !== undefined && account !== accountId)
        throw new Fault('not_found.account', { id: account });
      markUsed(row);
      const granted = row.token_scope.split(' ');
      const scopes = boundTo(row).filter((scope) => granted.includes(scope));
      // A program chooses its name, so the ID is what tells it from another.
      const actor = `app:${name} (${appId})`;
      return { accountId, actor, scopes, via: 'oauth', appId, keyHolder, role };
    },

    /** An earlier caller with its remaining scopes. @throws Fault unauthenticated.revoked */
    async renew(caller: Caller): Promise<Caller> {
      const row = await appRepo.find(sql, caller.accountId, caller.appId ?? '');
      if (!row || row.expires_at.getTime() <= now()) throw new Fault('unauthenticated.revoked');
      const scopes = boundTo(row);
      return { ...caller, role: row.role, scopes: caller.scopes.filter((scope) => scopes.includes(scope)) };
    },

    async holderOf(token: string) {
      const row = await find(token);
      return row && { accountId: row.account_id, actor: `app:${row.name}`, target: row.id };
    },

    /** Those that are over, and those with nothing left that a client could send. */
    sweep: () => appRepo.removeEnded(sql, new Date(now()), new Date(now() - DAY_MS)),

    invalidate: cache.invalidate,
    listeners: cache.listeners,
  };
}

/** Scopes an app has now: those it was given, as far as the person's role still has them. */
function boundTo({ scopes, role }: Pick<TokenRow, 'scopes' | 'role'>): readonly Scope[] {
  const held = scopesOf(role);
  return scopes.filter((scope) => held.includes(scope) && APP_SCOPES.includes(scope));
}

/** Whose apps the caller sees and ends: null for all of the account. */
function reachOf({ scopes, userId, keyHolder }: Lister): string | null {
  return scopes.includes('keys:write') ? null : (userId ?? keyHolder ?? '');
}

/** One line of text, whatever the program sent. */
function plainName(name: string): string {
  const line = name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.slice(0, MAX_NAME) || 'app';
}

function present(row: ListedRow): ConnectedApp {
  const { id, name, client_id, scopes } = row;
  return {
    ...{ id, name, client_id, scopes },
    connected_by: row.email ?? (row.person || row.user_id),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}

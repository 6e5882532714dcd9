import { LRUCache } from 'lru-cache';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createIpAllowlist, type IpAllowlist, plainAddress } from '../../platform/ip-allowlist.ts';
import { createNotifiedCache } from '../../platform/notified-cache.ts';
import { type Caller, SCOPES, type Scope } from '../caller.ts';
import type { Origin } from '../credentials.ts';
import { scopesOf } from '../members/roles.ts';
import type { HeldKeyRow, KeyRow } from './key-repo.ts';
import * as keyRepo from './key-repo.ts';
import { isSecretOf, newKeySecret, publicIdOf } from './key-secret.ts';

const CACHE_TTL_MS = 60_000;
const MARK_USED_INTERVAL_MS = 60_000;

/** Checks an account's plan. */
export type KeyPlans = {
  /** @throws Fault plan_required */
  requireKeys(accountId: string): Promise<void>;
};

type KeysDeps = { readonly sql: Sql; readonly plans: KeyPlans; readonly now?: () => number };

type Known = { readonly row: HeldKeyRow; readonly allowlist: IpAllowlist };

export type Keys = ReturnType<typeof createKeys>;

/**
 * API keys as credentials, and the operator's keys. `createAccountKeys` manages the keys of accounts.
 *
 * In: an API key and the address it comes from. Out: the caller it stands for. Invariant: a secret is returned once,
 * when its key is made; a key that is revoked, expired or out of its allowlist opens nothing.
 */
export function createKeys({ sql, plans, now = Date.now }: KeysDeps) {
  const cache = createNotifiedCache<Known>({
    max: 10_000,
    ttlMs: CACHE_TTL_MS,
    channels: ['api_keys', 'sessions'],
  });
  const marked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_USED_INTERVAL_MS });

  function find(publicId: string): Promise<Known | undefined> {
    return cache.get(publicId, async () => {
      const row = await keyRepo.findPublic(sql, publicId);
      return row && { row, allowlist: createIpAllowlist(row.ip_whitelist) };
    });
  }

  function markUsed(publicId: string, address: string | undefined): void {
    if (marked.has(publicId)) return;
    marked.set(publicId, true);
    // Last use is accurate to a minute; no call waits for it or fails because of it.
    keyRepo.markUsed(sql, publicId, plainAddress(address ?? '') ?? null).catch(() => marked.delete(publicId));
  }

  function isExpired({ expires_at }: KeyRow): boolean {
    return expires_at !== null && expires_at.getTime() <= now();
  }

  /** Without the plan an account's keys are rejected; they work again when the plan returns. */
  async function requirePlan({ origin, account_id }: KeyRow): Promise<void> {
    if (origin === 'account') await plans.requireKeys(account_id);
  }

  async function createIn(
    at: Sql | Tx,
    accountId: string,
    name: string,
    scopes: readonly Scope[],
    expiresAt: Date | null,
  ) {
    const { key, stored } = newKeySecret();
    const made = { id: newId('key'), account_id: accountId, name, origin: 'operator' as const, ...stored };
    const { id, mask } = await keyRepo.insert(at, {
      ...made,
      scopes: [...scopes],
      ip_whitelist: [],
      expires_at: expiresAt,
      made_by: null,
      made_with: null,
    });
    return { id, key, mask };
  }

  return {
    /** Creates an operator key and returns its secret once. `expiresAt` null means never. `at`: a transaction. */
    create: (
      accountId: string,
      name: string,
      scopes: readonly Scope[],
      expiresAt: Date | null,
      at: Sql | Tx = sql,
    ) => createIn(at, accountId, name, scopes, expiresAt),

    /** The secret of the first key of a new server, with all scopes: once, to one of all nodes. */
    async createFirst(account: () => Promise<{ readonly id: string }>): Promise<string | undefined> {
      if (!(await keyRepo.lacksFirst(sql))) return undefined;
      const { id } = await account();
      return sql.begin(async (tx) => {
        if (!(await keyRepo.claimFirst(tx))) return undefined;
        return (await createIn(tx, id, 'first', SCOPES, null)).key;
      });
    },

    /** The keys of every account, for the operator. */
    listAll: () => keyRepo.listAll(sql),

    /** @throws Fault not_found */
    async revoke(accountId: string, id: string, at: Sql | Tx = sql): Promise<void> {
      if (!(await keyRepo.revoke(at, accountId, id))) throw new Fault('not_found.key', { id });
      await keyRepo.notifyChanged(at);
      cache.invalidate();
    },

    /**
     * The caller of a key used from an address; without an address, from this machine.
     * @throws Fault unauthenticated, ip_not_allowed, not_found.account, plan_required
     */
    async resolve(key: string, { address, account }: Origin = {}): Promise<Caller> {
      const publicId = publicIdOf(key);
      const known = publicId === undefined ? undefined : await find(publicId);
      if (!known || isExpired(known.row) || !isSecretOf(known.row, key))
        throw new Fault('unauthenticated.wrong');
      const { row, allowlist } = known;
      if (!allowlist.admits(address))
        throw new Fault('ip_not_allowed.key', { address: plainAddress(address ?? '') ?? 'localhost' });
      const { account_id: accountId, id: keyId, name, made_by: holder } = row;
      // A key belongs to one account; work meant for another must not land in it.
      if (account !== undefined && account !== accountId)
        throw new Fault('not_found.account', { id: account });
      await requirePlan(row);
      markUsed(row.public_id, address);
      const caller = { accountId, actor: `key:${name}`, scopes: scopesLeft(row), keyId };
      const held = {
        ...(holder !== null && { keyHolder: holder }),
        ...(row.role && { role: row.role }),
        ...(row.origin === 'account' && { byPlan: true as const }),
      };
      return { ...caller, via: 'api_key', ...held };
    },

    /**
     * An earlier caller with its remaining scopes.
     * @throws Fault unauthenticated.revoked when its key has expired or was revoked since, plan_required
     */
    async renew(caller: Caller): Promise<Caller> {
      if (caller.keyId === undefined) return caller;
      const row = await keyRepo.find(sql, caller.accountId, caller.keyId);
      if (!row || isExpired(row)) throw new Fault('unauthenticated.revoked');
      await requirePlan(row);
      const scopes = scopesLeft(row);
      return { ...caller, scopes: caller.scopes.filter((scope) => scopes.includes(scope)) };
    },

    /** The key that a text names, right or not. */
    async holderOf(key: string) {
      const publicId = publicIdOf(key);
      const known = publicId === undefined ? undefined : await find(publicId);
      return (
        known && { accountId: known.row.account_id, actor: `key:${known.row.name}`, target: known.row.id }
      );
    },

    /** Invalidates what this node knows; the listeners do on every node when a key or membership changed. */
    invalidate: cache.invalidate,
    listeners: cache.listeners,
  };
}

/** A key is bounded by its holder's current role; when they leave, it is revoked. */
function scopesLeft({ scopes, role }: HeldKeyRow): readonly Scope[] {
  if (role === null) return scopes;
  const held = scopesOf(role);
  return scopes.filter((scope) => held.includes(scope));
}

import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { createIpAllowlist, type IpAllowlist, plainAddress } from '../platform/ip-allowlist.ts';
import type { Caller, Scope } from './caller.ts';
import type { Origin } from './credential-kind.ts';
import { isSecretOf, newKeySecret, publicIdOf } from './key-secret.ts';
import { createKeyStore, type HeldKeyRow, type KeyRow } from './key-repo.ts';
import { scopesOf } from './roles.ts';

// A revoked key is forgotten at once by a notification; the time only bounds what a lost one can do.
const KEPT_MS = 60_000;
const MARK_USED_MS = 60_000;

/** What an account's plan lets it use. */
export type KeyPlans = {
  /** @throws Fault plan_required */
  requireKeys(accountId: string): Promise<void>;
};

type KeysDeps = { readonly sql: Sql; readonly plans: KeyPlans; readonly now?: () => number };

type Known = { readonly row: HeldKeyRow; readonly whitelist: IpAllowlist };

export type Keys = ReturnType<typeof createKeys>;

/** API keys as credentials, and the operator's own; those that accounts make are the matter of `createAccountKeys`. */
export function createKeys({ sql, plans, now = Date.now }: KeysDeps) {
  const store = createKeyStore(sql);
  const kept = new LRUCache<string, Known>({ max: 10_000, ttl: KEPT_MS });
  const marked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_USED_MS });

  // How often everything was forgotten.
  let forgotten = 0;

  function forget(): void {
    forgotten++;
    kept.clear();
  }

  async function find(publicId: string): Promise<Known | undefined> {
    const known = kept.get(publicId);
    if (known) return known;
    const asked = forgotten;
    const row = await store.findPublic(publicId);
    if (!row) return undefined;
    const found = { row, whitelist: createIpAllowlist(row.ip_whitelist) };
    // An answer that was on its way when keys were forgotten may be of one revoked since.
    if (asked === forgotten) kept.set(publicId, found);
    return found;
  }

  function markUsed(publicId: string, address: string | undefined): void {
    if (marked.has(publicId)) return;
    marked.set(publicId, true);
    // When and from where a key was last used is told to the minute, and no call waits or fails for it.
    store.markUsed(publicId, plainAddress(address ?? '') ?? null).catch(() => marked.delete(publicId));
  }

  function isExpired({ expires_at }: KeyRow): boolean {
    return expires_at !== null && expires_at.getTime() <= now();
  }

  /** Keys of an account that left the plan stand still; they come back with it. */
  async function demandPlan({ origin, account_id }: KeyRow): Promise<void> {
    if (origin === 'account') await plans.requireKeys(account_id);
  }

  return {
    /** Makes a key of the operator's and returns it, this once. `expiresAt` null means never. */
    async create(accountId: string, name: string, scopes: readonly Scope[], expiresAt: Date | null) {
      const { key, stored } = newKeySecret();
      const made = { id: newId('key'), account_id: accountId, name, origin: 'operator' as const, ...stored };
      const { id, mask } = await store.insert({
        ...made,
        scopes: [...scopes],
        ip_whitelist: [],
        expires_at: expiresAt,
        made_by: null,
      });
      return { id, key, mask };
    },

    /** The keys of every account, for the operator. */
    listAll: () => store.listAll(),

    /** @throws Fault not_found */
    async revoke(accountId: string, id: string): Promise<void> {
      if (!(await store.revoke(accountId, id))) throw new Fault('not_found.key', { id });
      forget();
      await store.notifyChanged();
    },

    /**
     * Who a key speaks for, used from an address; without one it is used on this machine.
     * @throws Fault unauthenticated, ip_not_allowed, not_found.account, plan_required
     */
    async resolve(key: string, { address, account }: Origin = {}): Promise<Caller> {
      const publicId = publicIdOf(key);
      const known = publicId === undefined ? undefined : await find(publicId);
      if (!known || isExpired(known.row) || !isSecretOf(known.row, key))
        throw new Fault('unauthenticated.wrong');
      const { row, whitelist } = known;
      if (!whitelist.admits(address))
        throw new Fault('ip_not_allowed.key', { address: plainAddress(address ?? '') ?? 'localhost' });
      const { account_id: accountId, id: keyId, name } = row;
      // It is of one account; work meant for another is not to land in it.
      if (account !== undefined && account !== accountId)
        throw new Fault('not_found.account', { id: account });
      await demandPlan(row);
      markUsed(row.public_id, address);
      const caller = { accountId, actor: `key:${name}`, scopes: scopesLeft(row), keyId };
      return { ...caller, via: 'api_key', ...(row.origin === 'account' && { byPlan: true }) };
    },

    /**
     * A caller of earlier, with what is left of its rights by now.
     * @throws Fault unauthenticated.revoked when its key has expired or was revoked since, plan_required
     */
    async renew(caller: Caller): Promise<Caller> {
      if (caller.keyId === undefined) return caller;
      const row = await store.find(caller.accountId, caller.keyId);
      if (!row || isExpired(row)) throw new Fault('unauthenticated.revoked');
      await demandPlan(row);
      const scopes = scopesLeft(row);
      return { ...caller, scopes: caller.scopes.filter((scope) => scopes.includes(scope)) };
    },

    /** Forgets what is known of all keys; called on every node when one of them changes. */
    forget,
  };
}

/** A key may do no more than the person who holds it may by now; when they leave, the key is revoked. */
function scopesLeft({ scopes, role }: HeldKeyRow): readonly Scope[] {
  if (role === null) return scopes;
  const held = scopesOf(role);
  return scopes.filter((scope) => held.includes(scope));
}

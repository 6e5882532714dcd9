import type { Audit } from '../../audit/audit.ts';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { canonicalRange } from '../../platform/ip-allowlist.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { type Caller, DEFAULT_KEY_SCOPES, type Scope } from '../caller.ts';
import { type ApiKey, type KeyChanges, type KeyRequest, type NewApiKey, presentKey } from './api-key.ts';
import type { KeyRow, KeySettings } from './key-repo.ts';
import * as keyRepo from './key-repo.ts';
import { newKeySecret } from './key-secret.ts';
import type { KeyPlans } from './keys.ts';

type AccountKeysDeps = {
  readonly sql: Sql;
  readonly plans: KeyPlans;
  readonly audit: Pick<Audit, 'record'>;
  /** Called when a key has changed: no node may go by what it knew. */
  readonly invalidate: () => void;
  readonly now?: () => number;
};

type Action = 'created' | 'updated' | 'rotated' | 'revoked';

/** Keys that an account may have made for itself. */
const MAX_KEYS = 100;

/** API keys that the people of an account make and look after; every change is in the audit log and known to all nodes. */
export function createAccountKeys({ sql, plans, audit, invalidate, now = Date.now }: AccountKeysDeps) {
  return {
    /**
     * Without scopes the key may do the work its maker may: templates, assets, videos, hooks and sync.
     * @throws Fault plan_required, plan_limit, forbidden.key_scope, validation_failed.key_expiry
     */
    async create(
      caller: Caller,
      { name, scopes, ip_whitelist, expires_at = null }: KeyRequest,
    ): Promise<NewApiKey> {
      const { accountId } = caller;
      await plans.requireKeys(accountId);
      const given = scopes ?? DEFAULT_KEY_SCOPES.filter((scope) => caller.scopes.includes(scope));
      requireScopes(caller, given);
      const { key, stored } = newKeySecret();
      const settings = { name, scopes: [...given], ip_whitelist: ranges(ip_whitelist) };
      const made = {
        ...settings,
        ...stored,
        expires_at: momentOf(expires_at),
        made_by: holderOf(caller),
        made_with: caller.keyId ?? null,
      };
      const row = await changing(caller, 'created', async (tx) => {
        await keyRepo.lockAccount(tx, accountId);
        if ((await keyRepo.count(tx, accountId)) >= MAX_KEYS)
          throw new Fault('plan_limit.keys', { limit: MAX_KEYS });
        return keyRepo.insert(tx, { id: newId('key'), account_id: accountId, origin: 'account', ...made });
      });
      return { ...presentKey(row), key };
    },

    /** Newest first, the operator's among them. */
    async list(accountId: string, request: PageRequest): Promise<Page<ApiKey>> {
      const { before, limit } = byNumber(request);
      const rows = await keyRepo.list(sql, accountId, { before, limit: limit + 1 });
      return pageOf(rows, limit, ({ seq }) => seq, presentKey);
    },

    /** Changes what is given. @throws Fault not_found, forbidden.key_scope, forbidden.operator_key */
    async update(caller: Caller, id: string, changes: KeyChanges): Promise<ApiKey> {
      const row = await changing(caller, 'updated', async (tx) => {
        const found = await lockOwn(tx, caller, id);
        requireScopes(caller, changes.scopes?.filter((scope) => !found.scopes.includes(scope)) ?? []);
        const settled = { ...found, ...settingsOf(changes) };
        await keyRepo.update(tx, caller.accountId, id, settled);
        return settled;
      });
      return presentKey(row);
    },

    /**
     * Gives the key a new secret; the old one is dead at once.
     * @throws Fault plan_required, not_found, forbidden.key_scope, forbidden.operator_key
     */
    async rotate(caller: Caller, id: string): Promise<NewApiKey> {
      if (!(await keyRepo.find(sql, caller.accountId, id))) throw new Fault('not_found.key', { id });
      await plans.requireKeys(caller.accountId);
      const { key, stored } = newKeySecret();
      const row = await changing(caller, 'rotated', async (tx) => {
        const found = await lockOwn(tx, caller, id);
        // Who rotates a key holds it afterwards.
        requireScopes(caller, found.scopes);
        const held = { ...stored, made_by: holderOf(caller) };
        await keyRepo.replaceSecret(tx, caller.accountId, id, held);
        return { ...found, ...held };
      });
      return { ...presentKey(row), key };
    },

    /** Ends the key and the keys created with it. @throws Fault not_found */
    async revoke(caller: Caller, id: string): Promise<void> {
      await changing(caller, 'revoked', async (tx) => {
        const row = await keyRepo.revoke(tx, caller.accountId, id);
        if (!row) throw new Fault('not_found.key', { id });
        return row;
      });
    },
  };

  /** One transaction with its audit event and its announcement. */
  async function changing(caller: Caller, action: Action, change: (tx: Tx) => Promise<KeyRow>) {
    const row = await sql.begin(async (tx: Tx) => {
      const changed = await change(tx);
      const { id, name, scopes, ip_whitelist, expires_at } = changed;
      const detail = { name, scopes, ip_whitelist, expires_at: expires_at?.toISOString() ?? null };
      const event = { actor: caller.actor, action: `api_key.${action}`, target: id, detail };
      await audit.record(tx, caller.accountId, event);
      await keyRepo.notifyChanged(tx);
      return changed;
    });
    invalidate();
    return row;
  }

  async function lockOwn(tx: Tx, { accountId }: Caller, id: string): Promise<KeyRow> {
    const row = await keyRepo.lock(tx, accountId, id);
    if (!row) throw new Fault('not_found.key', { id });
    if (row.origin === 'operator') throw new Fault('forbidden.operator_key', { id });
    return row;
  }

  function settingsOf({ name, scopes, ip_whitelist, expires_at }: KeyChanges): Partial<KeySettings> {
    return {
      ...(name !== undefined && { name }),
      ...(scopes && { scopes: [...scopes] }),
      ...(ip_whitelist && { ip_whitelist: ranges(ip_whitelist) }),
      ...(expires_at !== undefined && { expires_at: momentOf(expires_at) }),
    };
  }

  function momentOf(text: string | null): Date | null {
    if (text === null) return null;
    const moment = new Date(text);
    if (moment.getTime() <= now()) throw new Fault('validation_failed.key_expiry');
    return moment;
  }
}

/** Who holds the keys that this caller makes: the person, or who holds the key they use. */
function holderOf({ userId, keyHolder }: Caller): string | null {
  return userId ?? keyHolder ?? null;
}

/** @throws Fault forbidden.key_scope for a scope that the caller does not have */
function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  const lacking = scopes.find((scope) => !caller.scopes.includes(scope));
  if (lacking) throw new Fault('forbidden.key_scope', { scope: lacking });
}

/** The schema has let through only what is one. */
function ranges(entries: readonly string[]): string[] {
  return [...new Set(entries.flatMap((entry) => canonicalRange(entry) ?? []))];
}

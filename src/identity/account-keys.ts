import type { Audit } from '../audit/audit.ts';
import { Fault } from '../errors.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { canonicalRange } from '../platform/ip-allowlist.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import {
  type ApiKey,
  KEY_SCOPES,
  type KeyChanges,
  type KeyRequest,
  type NewApiKey,
  presentKey,
} from './api-key.ts';
import type { Caller, Scope } from './caller.ts';
import { newKeySecret } from './key-secret.ts';
import { createKeyStore, type KeyRow, type KeySettings } from './key-repo.ts';
import type { KeyPlans } from './keys.ts';

type AccountKeysDeps = {
  readonly sql: Sql;
  readonly plans: KeyPlans;
  readonly audit: Pick<Audit, 'record'>;
  /** Called when a key has changed: no node may go by what it knew. */
  readonly forget: () => void;
  readonly now?: () => number;
};

type Action = 'created' | 'updated' | 'rotated' | 'revoked';

/** Keys that an account may have made for itself. */
const MAX_KEYS = 100;

export type AccountKeys = ReturnType<typeof createAccountKeys>;

/** API keys that the people of an account make and look after; every change is in the audit log and known to all nodes. */
export function createAccountKeys({ sql, plans, audit, forget, now = Date.now }: AccountKeysDeps) {
  const store = createKeyStore(sql);

  return {
    /**
     * Without scopes the key may do all that its maker may, but make keys.
     * @throws Fault plan_required, plan_limit, forbidden.key_scope, validation_failed.key_expiry
     */
    async create(
      caller: Caller,
      { name, scopes, ip_whitelist, expires_at = null }: KeyRequest,
    ): Promise<NewApiKey> {
      const { accountId } = caller;
      await plans.requireKeys(accountId);
      const given = scopes ?? KEY_SCOPES.filter((scope) => caller.scopes.includes(scope));
      requireScopes(caller, given);
      const { key, stored } = newKeySecret();
      const settings = { name, scopes: [...given], ip_whitelist: ranges(ip_whitelist) };
      const made = {
        ...settings,
        ...stored,
        expires_at: momentOf(expires_at),
        made_by: caller.userId ?? null,
      };
      const row = await changing(caller, 'created', async (own) => {
        await own.lockAccount(accountId);
        if ((await own.count(accountId)) >= MAX_KEYS) throw new Fault('plan_limit.keys', { limit: MAX_KEYS });
        return own.insert({ id: newId('key'), account_id: accountId, origin: 'account', ...made });
      });
      return { ...presentKey(row), key };
    },

    /** Newest first, the operator's among them. */
    async list(accountId: string, request: PageRequest): Promise<Page<ApiKey>> {
      const { before, limit } = byNumber(request);
      const rows = await store.list(accountId, { before, limit: limit + 1 });
      return pageOf(rows, limit, ({ seq }) => seq, presentKey);
    },

    /** Changes what is given. @throws Fault not_found, forbidden.key_scope, forbidden.operator_key */
    async update(caller: Caller, id: string, changes: KeyChanges): Promise<ApiKey> {
      const row = await changing(caller, 'updated', async (own) => {
        const found = await lockOwn(own, caller, id);
        requireScopes(caller, changes.scopes?.filter((scope) => !found.scopes.includes(scope)) ?? []);
        const settled = { ...found, ...settingsOf(changes) };
        await own.update(caller.accountId, id, settled);
        return settled;
      });
      return presentKey(row);
    },

    /**
     * Gives the key a new secret; the old one is dead at once.
     * @throws Fault plan_required, not_found, forbidden.key_scope, forbidden.operator_key
     */
    async rotate(caller: Caller, id: string): Promise<NewApiKey> {
      if (!(await store.find(caller.accountId, id))) throw new Fault('not_found.key', { id });
      await plans.requireKeys(caller.accountId);
      const { key, stored } = newKeySecret();
      const row = await changing(caller, 'rotated', async (own) => {
        const found = await lockOwn(own, caller, id);
        // Who rotates a key holds it afterwards.
        requireScopes(caller, found.scopes);
        const held = { ...stored, made_by: caller.userId ?? null };
        await own.replaceSecret(caller.accountId, id, held);
        return { ...found, ...held };
      });
      return { ...presentKey(row), key };
    },

    /** @throws Fault not_found */
    async revoke(caller: Caller, id: string): Promise<void> {
      await changing(caller, 'revoked', async (own) => {
        const row = await own.revoke(caller.accountId, id);
        if (!row) throw new Fault('not_found.key', { id });
        return row;
      });
    },
  };

  type Store = ReturnType<typeof createKeyStore>;

  /** One transaction with its audit event and its announcement. */
  async function changing(caller: Caller, action: Action, change: (own: Store) => Promise<KeyRow>) {
    const row = await sql.begin(async (tx: Tx) => {
      const own = createKeyStore(tx);
      const changed = await change(own);
      const { id, name, scopes, ip_whitelist, expires_at } = changed;
      const detail = { name, scopes, ip_whitelist, expires_at: expires_at?.toISOString() ?? null };
      const event = { actor: caller.actor, action: `api_key.${action}`, target: id, detail };
      await audit.record(tx, caller.accountId, event);
      await own.notifyChanged();
      return changed;
    });
    forget();
    return row;
  }

  async function lockOwn(own: Store, { accountId }: Caller, id: string): Promise<KeyRow> {
    const row = await own.lock(accountId, id);
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

/** @throws Fault forbidden.key_scope for a scope that the caller does not have */
function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  const lacking = scopes.find((scope) => !caller.scopes.includes(scope));
  if (lacking) throw new Fault('forbidden.key_scope', { scope: lacking });
}

/** The schema has let through only what is one. */
function ranges(entries: readonly string[]): string[] {
  return [...new Set(entries.flatMap((entry) => canonicalRange(entry) ?? []))];
}

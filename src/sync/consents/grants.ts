/**
 * Access that people gave by consent. In: tokens of a provider. Out: access tokens for connections, renewed ahead of their
 * end. Invariant: on all nodes together, one caller at a time renews a grant; the others wait for what it saves.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type {
  Consent,
  ConsentProvider,
  ConsentProviderName,
  GrantedTokens,
  TokenSource,
} from '../ports/consent.ts';
import type { GrantRow, LeftRow } from './grant-repo.ts';
import * as grantRepo from './grant-repo.ts';

type GrantsDeps = {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly providers: Readonly<Partial<Record<ConsentProviderName, ConsentProvider>>>;
  readonly log: Log;
  readonly now?: () => number;
};

export type Grants = ReturnType<typeof createGrants>;

/** A token this close to its end is renewed before it is used. */
const MARGIN_MS = 5 * 60_000;
/** A renewal takes less, or has failed; then another node may try. */
const LEASE_SECONDS = 45;
const RENEWAL_MS = 30_000;
const POLL_MS = 100;
const REVOCATION_MS = 10_000;
/** After this time, a grant that the provider did not revoke has ended, or never will. */
const REVOKING_DAYS = 7;
const DAY_MS = 86_400_000;
/** Tokens of stores that no one reads for 90 days end; they are renewed before. */
const RENEWED_DAYS = 30;
const BATCH_SIZE = 50;

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string().nullable() });
type Tokens = z.output<typeof Tokens>;

/** The grants of all accounts. Tokens are encrypted for their row and leave it only toward the provider. */
export function createGrants({ sql, box, providers, log, now = Date.now }: GrantsDeps) {
  return {
    /** Saves a consent, in place of an earlier one of the same Google account or store. Returns the grant's id. */
    async save(
      accountId: string,
      provider: ConsentProviderName,
      { tokens, subject, label }: Consent,
      actor: string,
    ): Promise<string> {
      for (;;) {
        const id = (await grantRepo.findId(sql, accountId, { provider, subject })) ?? newId('gra');
        const row = {
          id,
          account_id: accountId,
          provider,
          subject,
          label,
          actor,
          ...(await seal(id, tokens)),
        };
        if (await grantRepo.save(sql, row)) return id;
      }
    },

    lend: (accountId: string, grantId: string): TokenSource => createSource(accountId, grantId),

    markWorking: (accountId: string, grantId: string) => grantRepo.markWorking(sql, accountId, grantId),

    /** Revokes what no connection uses any more. Where the provider is not responding, `sweep` tries again. */
    async release(accountId: string, grantId: string): Promise<void> {
      if (!(await grantRepo.release(sql, accountId, grantId))) return;
      const row = await grantRepo.find(sql, accountId, grantId);
      if (row) await revoke(row);
    },

    /** The store has uninstalled the app: its tokens are of no more use. */
    async end(accountId: string, grantId: string): Promise<void> {
      const row = await grantRepo.find(sql, accountId, grantId);
      if (row) await grantRepo.end(sql, row);
    },

    /** In the transaction that deletes an account: keeps what is to be revoked then, and returns its ids. */
    leave: (tx: Tx, accountId: string) => grantRepo.leave(tx, accountId),

    /** Revokes what an account has left. Where the provider is not responding, `sweep` tries again. */
    async revokeLeft(ids: readonly string[]): Promise<void> {
      for (const row of await grantRepo.listLeft(sql, ids, ids.length)) await revokeLeft(row);
    },

    /** Renews what would end unused, and revokes what is unused. */
    async sweep(): Promise<void> {
      for (const row of await grantRepo.listEnding(sql, RENEWED_DAYS, BATCH_SIZE))
        await renewed(row, AbortSignal.timeout(RENEWAL_MS)).catch((error: unknown) =>
          log.warn({ err: error, account: row.account_id, grant: row.id }, 'a grant was not renewed'),
        );
      for (const { account_id, id } of await grantRepo.listUnused(sql, BATCH_SIZE))
        await grantRepo.release(sql, account_id, id);
      for (const row of await grantRepo.listReleased(sql, BATCH_SIZE)) await revoke(row);
      for (const row of await grantRepo.listLeft(sql, null, BATCH_SIZE)) await revokeLeft(row);
    },
  };

  function createSource(accountId: string, grantId: string): TokenSource {
    let known: { readonly token: string; readonly until: number } | undefined;

    async function fetched(signal: AbortSignal, spent?: string): Promise<string> {
      const row = await found(accountId, grantId);
      const { accessToken } = await tokensOf(row);
      const isFresh = accessToken !== spent && untilOf(row) > now();
      const usable = isFresh ? row : await renewed(row, signal);
      const token = usable === row ? accessToken : (await tokensOf(usable)).accessToken;
      known = { token, until: untilOf(usable) };
      return token;
    }

    return {
      current: async (signal) => (known && known.until > now() ? known.token : fetched(signal)),
      instead: async (spent, signal) => fetched(signal, spent),
    };
  }

  /** The row with other tokens than it has: renewed here, or by the holder of the lease. */
  async function renewed(row: GrantRow, signal: AbortSignal): Promise<GrantRow> {
    for (let latest = row; latest.version === row.version; latest = await found(row.account_id, row.id)) {
      signal.throwIfAborted();
      if (await grantRepo.lease(sql, latest, LEASE_SECONDS)) await renew(latest);
      else await delay(POLL_MS, undefined, { signal });
    }
    return found(row.account_id, row.id);
  }

  async function renew(row: GrantRow): Promise<void> {
    const provider = providerOf(row);
    const { refreshToken } = await tokensOf(row);
    // It ends with no caller's signal: the answer may hold the only refresh token that is still good.
    const deadline = AbortSignal.timeout(RENEWAL_MS);
    try {
      if (refreshToken === null) throw provider.ended(row.label);
      const tokens = await provider.renew(row.subject, { refreshToken, label: row.label }, deadline);
      await grantRepo.renewed(sql, row, await seal(row.id, tokens));
    } catch (error) {
      if (isEnded(error)) await grantRepo.end(sql, row);
      else await grantRepo.giveBack(sql, row);
      throw error;
    }
  }

  async function revoke(row: GrantRow): Promise<void> {
    try {
      await revokeThere(row);
      await grantRepo.remove(sql, row);
    } catch (error) {
      log.warn({ err: error, account: row.account_id, grant: row.id }, 'a grant is revoked within the hour');
    }
  }

  async function revokeLeft(row: LeftRow): Promise<void> {
    try {
      await revokeThere(row);
      await grantRepo.removeLeft(sql, row);
    } catch (error) {
      log.warn({ err: error, grant: row.id }, 'a grant of a deleted account is revoked within the hour');
    }
  }

  /** Ends it at the provider, unless that is too late or another account needs it. */
  async function revokeThere(row: LeftRow): Promise<void> {
    const isLate = row.released_at !== null && row.released_at.getTime() < now() - REVOKING_DAYS * DAY_MS;
    if (isLate || row.tokens === null || (await grantRepo.isShared(sql, row))) return;
    const { accessToken, refreshToken } = await tokensOf(row);
    const deadline = AbortSignal.timeout(REVOCATION_MS);
    await providers[row.provider]?.revoke?.(refreshToken ?? accessToken, deadline);
  }

  /** @throws Fault sheet_unauthorized.grant, store_unauthorized.grant where it has ended */
  async function found(accountId: string, grantId: string): Promise<GrantRow> {
    const row = await grantRepo.find(sql, accountId, grantId);
    if (!row || row.released_at !== null) throw new Error(`grant ${grantId} is gone`);
    if (row.tokens === null) throw providerOf(row).ended(row.label);
    return row;
  }

  function providerOf({ provider }: GrantRow): ConsentProvider {
    const found = providers[provider];
    if (found) return found;
    throw new Fault(
      provider === 'google' ? 'not_configured.google_consent' : 'not_configured.shopify_consent',
    );
  }

  function untilOf({ expires_at: end }: GrantRow): number {
    return end === null ? Infinity : end.getTime() - MARGIN_MS;
  }

  async function seal(id: string, { accessToken, refreshToken, ...rest }: GrantedTokens) {
    const text = JSON.stringify({ accessToken, refreshToken } satisfies Tokens);
    return {
      tokens: await box.seal(text, placeOf(id)),
      expires_at: rest.expiresAt,
      refresh_expires_at: rest.refreshExpiresAt,
      scopes: [...rest.scopes],
    };
  }

  async function tokensOf({ id, tokens }: LeftRow): Promise<Tokens> {
    if (tokens === null) throw new Error(`grant ${id} has ended`);
    return Tokens.parse(JSON.parse(await box.open(tokens, placeOf(id))));
  }
}

const placeOf = (row: string) => ({ table: 'sync_grants', row, column: 'tokens' });

function isEnded(error: unknown): boolean {
  return error instanceof Fault && /^(?:sheet|store)_unauthorized\./.test(error.key);
}

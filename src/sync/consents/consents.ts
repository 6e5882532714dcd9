/**
 * Connecting by consent: a one-time link, which takes the person who asked for it to the provider's page and
 * back.
 * In: what to connect. Out: a connected sheet or store. Invariants: a link is of use only to the person who
 * asked for it; an answer counts once, in the browser in which that person began, until its time is over.
 */
import { hash, randomBytes } from 'node:crypto';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Sheets } from '../connections/sheets.ts';
import type { Stores } from '../connections/stores.ts';
import type { Consent, ConsentProvider, ConsentProviderName } from '../ports/consent.ts';
import { parseSpreadsheetId } from '../ports/sheet-client.ts';
import { parseDomain } from '../ports/store-client.ts';
import type { StoreWrites } from '../ports/store-scopes.ts';
import type { ConsentRequest, ConsentRow } from './consent-repo.ts';
import * as consentRepo from './consent-repo.ts';
import type { Grants } from './grants.ts';

type ConsentsDeps = {
  readonly sql: Sql;
  readonly providers: Readonly<Partial<Record<ConsentProviderName, ConsentProvider>>>;
  readonly grants: Grants;
  readonly stores: Stores;
  readonly sheets: Sheets;
  /** False: a spreadsheet can be connected by its address alone, without being picked. */
  readonly picks: boolean;
};

/** Who asks for a consent. `userId` is the person, or who holds the key. */
type Asking = { readonly accountId: string; readonly userId: string | null; readonly actor: string };

type GoogleRequest = {
  readonly spreadsheet?: string | undefined;
  readonly sheetName?: string | undefined;
  readonly name?: string | undefined;
  readonly sheetId?: string | undefined;
  readonly returnTo?: string | undefined;
};

type ShopifyRequest = {
  readonly shop: string;
  readonly locationId?: string | undefined;
  /** What syncs are to write in the store; all by default. */
  readonly writes?: StoreWrites[] | undefined;
  readonly returnTo?: string | undefined;
};

/** @throws Fault where the person may not connect anything in the account */
type RequireRight = (accountId: string, userId: string | null) => Promise<void>;

type Departure = {
  /** The signed-in person who continues; without an ID, the local owner. */
  readonly person: { readonly userId: string | null; readonly actor?: string | undefined };
  readonly redirectUri: string;
  readonly requireRight: RequireRight;
};

type Arrival = {
  readonly provider: ConsentProviderName;
  readonly answer: URLSearchParams;
  readonly browser: string;
  readonly redirectUri: string;
  readonly requireRight: RequireRight;
};

/** The connection. `returnTo`: where the person came from. */
export type Connected = {
  readonly kind: 'sheet' | 'store';
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly returnTo: string | undefined;
};

/** How long a link waits for its person, and the person may take at the provider. */
export const CONSENT_MINUTES = 15;

/** Links, visits and answers of consents, on any node. */
export function createConsents({ sql, providers, grants, stores, sheets, picks }: ConsentsDeps) {
  return {
    /** @throws Fault not_configured.google_consent, validation_failed, not_found.sheet */
    async startGoogle(asking: Asking, request: GoogleRequest) {
      providerOf('google');
      const { spreadsheet, sheetName, name, sheetId, returnTo } = request;
      const connected = sheetId === undefined ? undefined : await sheets.get(asking.accountId, sheetId);
      const spreadsheetId =
        connected?.spreadsheet_id ?? (spreadsheet === undefined ? undefined : idIn(spreadsheet));
      if (spreadsheetId === undefined && !picks) throw new Fault('validation_failed.spreadsheet_needed');
      const tab = { sheet_name: sheetName, name, sheet_id: sheetId, return_to: returnTo };
      return start('google', asking, { spreadsheet_id: spreadsheetId, ...tab });
    },

    /** @throws Fault not_configured.shopify_consent, validation_failed.store_domain */
    async startShopify(asking: Asking, { shop, locationId, writes, returnTo }: ShopifyRequest) {
      providerOf('shopify');
      const request = { domain: parseDomain(shop), location_id: locationId, writes, return_to: returnTo };
      return start('shopify', asking, request);
    },

    /** What a link is for. @throws Fault not_found.consent_link */
    async look(provider: ConsentProviderName, link: string) {
      const row = await rowOf(provider, link);
      const { account_id, user_id, actor, request } = row;
      return { accountId: account_id, userId: user_id, actor, request };
    },

    /**
     * Where the person goes on, and the secret that their browser keeps.
     * @throws Fault not_found.consent_link, forbidden.consent_person, and what `requireRight` throws
     */
    async begin(
      provider: ConsentProviderName,
      link: string,
      { person: { userId, actor }, redirectUri, requireRight }: Departure,
    ): Promise<{ url: string; browser: string }> {
      const row = await rowOf(provider, link);
      if (row.user_id !== null && row.user_id !== userId) throw new Fault('forbidden.consent_person');
      await requireRight(row.account_id, userId);
      const visit = {
        redirectUri,
        state: newSecret(),
        codeVerifier: newSecret(),
        target: targetOf(row.request),
        writes: row.request.writes,
      };
      const url = providerOf(provider).pageUrl(visit);
      const browser = newSecret();
      const bound = {
        user_id: userId,
        actor: actor ?? row.actor,
        state_sha256: hash('sha256', visit.state),
        browser_sha256: hash('sha256', browser),
        code_verifier: visit.codeVerifier,
      };
      if (!(await consentRepo.bind(sql, row, bound, CONSENT_MINUTES)))
        throw new Fault('not_found.consent_link');
      return { url, browser };
    },

    /**
     * Takes the answer of a provider, once, in the browser that started.
     * @throws Fault consent_failed, and what connecting throws
     */
    async finish({ provider, answer, browser, redirectUri, requireRight }: Arrival, signal: AbortSignal) {
      const state = answer.get('state') ?? '';
      const row = await consentRepo.take(sql, {
        provider,
        state_sha256: hash('sha256', state),
        browser_sha256: hash('sha256', browser),
      });
      if (!row) throw new Fault('consent_failed.expired');
      const { account_id: accountId, user_id, request, code_verifier: codeVerifier } = row;
      let grantId: string | undefined;
      try {
        await requireRight(accountId, user_id);
        const visit = { redirectUri, state, codeVerifier, target: targetOf(request), writes: request.writes };
        const consent = await providerOf(provider).exchange(answer, visit, signal);
        grantId = await grants.save(accountId, provider, consent, row.actor);
        const connected = await connect(row, consent, grantId, signal);
        await grants.markWorking(accountId, grantId);
        return connected;
      } finally {
        await consentRepo.remove(sql, row);
        // What was not connected in the end is not kept.
        if (grantId !== undefined) await grants.release(accountId, grantId);
      }
    },

    sweep: () => consentRepo.removeExpired(sql),
  };

  async function start(provider: ConsentProviderName, asking: Asking, request: ConsentRequest) {
    const link = newSecret();
    const { accountId: account_id, userId: user_id, actor } = asking;
    const row = { link_sha256: hash('sha256', link), account_id, user_id, actor, provider, request };
    return { provider, link, expiresAt: await consentRepo.insert(sql, row, CONSENT_MINUTES) };
  }

  async function connect(
    row: ConsentRow,
    consent: Consent,
    grant: string,
    signal: AbortSignal,
  ): Promise<Connected> {
    const { account_id: accountId, provider, request } = row;
    const returnTo = request.return_to;
    if (provider === 'shopify') {
      const { domain = '', location_id: locationId } = request;
      const { id, name } = await stores.connectGranted(accountId, { domain, locationId, grant }, signal);
      return { kind: 'store', accountId, id, name, returnTo };
    }
    const spreadsheet = spreadsheetOf(request, consent);
    const { sheet_name: sheetName, name: title, sheet_id: sheetId } = request;
    const asked = { spreadsheet, sheetName, name: title, sheetId, grant };
    const { id, name } = await sheets.connectGranted(accountId, asked, signal);
    return { kind: 'sheet', accountId, id, name, returnTo };
  }

  /** @throws Fault consent_failed.not_picked, consent_failed.other_picked */
  function spreadsheetOf({ spreadsheet_id: wanted }: ConsentRequest, { picked }: Consent): string {
    if (!picks && wanted !== undefined) return wanted;
    const [first] = picked;
    if (first === undefined) throw new Fault('consent_failed.not_picked');
    if (wanted !== undefined && !picked.includes(wanted)) throw new Fault('consent_failed.other_picked');
    return wanted ?? first;
  }

  async function rowOf(provider: ConsentProviderName, link: string): Promise<ConsentRow> {
    const row = await consentRepo.findByLink(sql, hash('sha256', link));
    if (row?.provider !== provider) throw new Fault('not_found.consent_link');
    return row;
  }

  function providerOf(name: ConsentProviderName): ConsentProvider {
    const provider = providers[name];
    if (provider) return provider;
    throw new Fault(name === 'google' ? 'not_configured.google_consent' : 'not_configured.shopify_consent');
  }
}

function targetOf({ spreadsheet_id, domain }: ConsentRequest): string | undefined {
  return domain ?? spreadsheet_id;
}

/** @throws Fault validation_failed.spreadsheet */
function idIn(spreadsheet: string): string {
  const id = parseSpreadsheetId(spreadsheet);
  if (id === undefined) throw new Fault('validation_failed.spreadsheet');
  return id;
}

/** 256 bits in 43 characters, as RFC 7636 asks of a code verifier. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

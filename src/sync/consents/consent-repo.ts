import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { CONSENT_PROVIDERS } from '../ports/consent.ts';
import { STORE_WRITES } from '../ports/store-scopes.ts';

/** What is to be connected once a person has agreed. */
export const ConsentRequest = z.object({
  /** Google: the spreadsheet to open, and the tab; absent: what the person picks, and its first tab. */
  spreadsheet_id: z.string().optional(),
  sheet_name: z.string().optional(),
  name: z.string().optional(),
  /** The connected sheet that gets new access. */
  sheet_id: z.string().optional(),
  /** Shopify. */
  domain: z.string().optional(),
  location_id: z.string().optional(),
  writes: z.array(z.enum(STORE_WRITES)).optional(),
  /** Path of the web client to go back to. */
  return_to: z.string().optional(),
});
export type ConsentRequest = z.output<typeof ConsentRequest>;

const ConsentRow = z.object({
  link_sha256: z.string(),
  account_id: z.string(),
  user_id: z.string().nullable(),
  actor: z.string(),
  provider: z.enum(CONSENT_PROVIDERS),
  request: ConsentRequest,
});
export type ConsentRow = z.output<typeof ConsentRow>;

const TakenRow = ConsentRow.extend({ code_verifier: z.string() });

export async function insert(sql: Sql | Tx, row: ConsentRow, minutes: number): Promise<Date> {
  const [inserted] = await sql`
    insert into sync_consents (link_sha256, account_id, user_id, actor, provider, request, expires_at)
    values (${row.link_sha256}, ${row.account_id}, ${row.user_id}, ${row.actor}, ${row.provider},
      ${sql.json(row.request)}, now() + make_interval(mins => ${minutes}))
    returning expires_at`;
  return z.object({ expires_at: z.date() }).parse(inserted).expires_at;
}

/** By its link, which names no account; undefined when it is over or was used. */
export async function findByLink(sql: Sql | Tx, linkSha256: string): Promise<ConsentRow | undefined> {
  const [row] = await sql`
    select link_sha256, account_id, user_id, actor, provider, request from sync_consents
    where link_sha256 = ${linkSha256} and taken_at is null and expires_at > now()`;
  return row && ConsentRow.parse(row);
}

/** Binds the consent to a person, a state and a browser, in place of earlier ones. False when it is over or was used. */
export async function bind(
  sql: Sql | Tx,
  { account_id, link_sha256 }: ConsentRow,
  visit: Pick<ConsentRow, 'user_id' | 'actor'> &
    Record<'state_sha256' | 'browser_sha256' | 'code_verifier', string>,
  minutes: number,
): Promise<boolean> {
  const rows = await sql`
    update sync_consents set user_id = ${visit.user_id}, actor = ${visit.actor}, state_sha256 = ${visit.state_sha256}, browser_sha256 = ${visit.browser_sha256},
      code_verifier = ${visit.code_verifier}, expires_at = now() + make_interval(mins => ${minutes})
    where account_id = ${account_id} and link_sha256 = ${link_sha256} and taken_at is null and expires_at > now()
    returning link_sha256`;
  return rows.length === 1;
}

/** Takes the answer of a provider, once: the state names no account, and only the browser that began has the other secret. */
export async function take(
  sql: Sql | Tx,
  { provider, state_sha256, browser_sha256 }: Record<'provider' | 'state_sha256' | 'browser_sha256', string>,
): Promise<z.output<typeof TakenRow> | undefined> {
  const [row] = await sql`
    update sync_consents set taken_at = now()
    where state_sha256 = ${state_sha256} and browser_sha256 = ${browser_sha256} and provider = ${provider}
      and taken_at is null and expires_at > now()
    returning link_sha256, account_id, user_id, actor, provider, request, code_verifier`;
  return row && TakenRow.parse(row);
}

export async function remove(sql: Sql | Tx, { account_id, link_sha256 }: ConsentRow): Promise<void> {
  await sql`delete from sync_consents where account_id = ${account_id} and link_sha256 = ${link_sha256}`;
}

export async function removeExpired(sql: Sql | Tx): Promise<void> {
  await sql`delete from sync_consents where expires_at < now()`;
}

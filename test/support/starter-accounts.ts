import type { App } from '../../src/app.ts';
import { newId } from '../../src/platform/ids.ts';

/** What the first account of this process held when it was new, as JSON. The same for every app: it comes from files. */
let firstAccount: Promise<string> | undefined;

/**
 * A new account with its starter templates; its id. The first of a process is made as the product makes it, the others are
 * copies of what that one held: one statement in place of a hundred.
 */
export async function newStarterAccount(app: App, name: string): Promise<string> {
  if (firstAccount !== undefined) return copyAccount(app, await firstAccount, name);
  const made = app.accounts.create(name);
  firstAccount = made.then(({ id }) => contentOf(app, id));
  await firstAccount;
  return (await made).id;
}

async function contentOf({ database: { sql } }: App, id: string): Promise<string> {
  const [row] = await sql`
    select jsonb_build_object(
      'contents', (select jsonb_agg(one) from contents one where account_id = a.id),
      'templates', (select jsonb_agg(one) from templates one where account_id = a.id),
      'versions', (select jsonb_agg(one) from versions one where account_id = a.id),
      'branches', (select jsonb_agg(one) from branches one where account_id = a.id),
      'environments', (select jsonb_agg(one) from environments one where account_id = a.id),
      'pointers', (select jsonb_agg(one) from pointers one where account_id = a.id),
      'pointer_events', (select jsonb_agg(one order by seq) from pointer_events one where account_id = a.id),
      'fixtures', (select jsonb_agg(one) from fixtures one where account_id = a.id),
      'audit_events', (select jsonb_agg(one order by seq) from audit_events one where account_id = a.id),
      'accounts', jsonb_build_array(to_jsonb(a))
    )::text as held
    from accounts a where id = ${id}`;
  return String(row?.['held']);
}

async function copyAccount({ database: { sql } }: App, first: string, name: string): Promise<string> {
  const { held, id } = withNewIds(first);
  await sql`
    with given as materialized (select ${held}::text::jsonb as held),
    a as (insert into accounts select (jsonb_populate_recordset(null::accounts, held->'accounts')).* from given),
    b as (insert into contents select (jsonb_populate_recordset(null::contents, held->'contents')).* from given),
    c as (insert into templates select (jsonb_populate_recordset(null::templates, held->'templates')).* from given),
    d as (insert into versions select (jsonb_populate_recordset(null::versions, held->'versions')).* from given),
    e as (insert into branches select (jsonb_populate_recordset(null::branches, held->'branches')).* from given),
    f as (insert into environments select (jsonb_populate_recordset(null::environments, held->'environments')).* from given),
    g as (insert into pointers select (jsonb_populate_recordset(null::pointers, held->'pointers')).* from given),
    h as (insert into pointer_events overriding user value
      select (jsonb_populate_recordset(null::pointer_events, held->'pointer_events')).* from given),
    i as (insert into fixtures select (jsonb_populate_recordset(null::fixtures, held->'fixtures')).* from given),
    j as (insert into audit_events overriding user value
      select (jsonb_populate_recordset(null::audit_events, held->'audit_events')).* from given)
    select 1`;
  await sql`update accounts set name = ${name}, created_at = now() where id = ${id}`;
  return id;
}

/** An id as the product makes them. */
const ID = /\b([a-z]{3})_[0-9a-z]{22}\b/g;

function withNewIds(first: string): { held: string; id: string } {
  const made = new Map<string, string>();
  let id = '';
  const held = first.replace(ID, (whole, prefix: string) => {
    const known = made.get(whole) ?? newId(prefix);
    made.set(whole, known);
    if (prefix === 'acc') id = known;
    return known;
  });
  return { held, id };
}

import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import type { ConfirmationKind } from './confirmations.ts';

/** A row of `confirmations`, as it is written. */
type NewConfirmation = {
  readonly idSha256: string;
  readonly kind: ConfirmationKind;
  readonly callSha256: string;
  readonly changeSha256: string;
};

const Used = z.object({ change_sha256: z.string() });

export async function insert(sql: Sql, accountId: string, row: NewConfirmation): Promise<void> {
  await sql`
    insert into confirmations (id_sha256, account_id, kind, call_sha256, change_sha256)
    values (${row.idSha256}, ${accountId}, ${row.kind}, ${row.callSha256}, ${row.changeSha256})`;
}

/** Uses a confirmation up, on whichever node, and says what it was about; undefined when there is none to use. */
export async function use(
  sql: Sql,
  accountId: string,
  { idSha256, kind, callSha256 }: Omit<NewConfirmation, 'changeSha256'>,
): Promise<string | undefined> {
  const [row] = await sql`
    update confirmations set used_at = now()
    where account_id = ${accountId} and id_sha256 = ${idSha256} and kind = ${kind} and call_sha256 = ${callSha256}
      and used_at is null and created_at > now() - interval '10 minutes'
    returning change_sha256`;
  return row && Used.parse(row).change_sha256;
}

export async function sweep(sql: Sql): Promise<void> {
  await sql`delete from confirmations where created_at < now() - interval '10 minutes'`;
}

import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const ChallengeRow = z.object({ user_id: z.string().nullable(), data: z.unknown() });
type ChallengeRow = z.output<typeof ChallengeRow>;

type NewChallengeRow = {
  readonly token_sha256: string;
  readonly purpose: string;
  readonly user_id: string | null;
  readonly data: Readonly<Record<string, string | null>>;
  readonly tries_left: number;
  readonly expires_at: Date;
};

/** The SQL of one-time secrets of sign-ins in progress. Inside a transaction give it `tx`. */

export async function insert(sql: Sql | Tx, row: NewChallengeRow): Promise<void> {
  await sql`
    insert into sign_in_challenges (token_sha256, purpose, user_id, data, tries_left, expires_at)
    values (${row.token_sha256}, ${row.purpose}, ${row.user_id}, ${sql.json(row.data)}, ${row.tries_left},
      ${row.expires_at})`;
}

export async function takeAttempt(
  sql: Sql | Tx,
  purpose: string,
  tokenSha256: string,
  now: Date,
): Promise<ChallengeRow | undefined> {
  const [row] = await sql`
    update sign_in_challenges set tries_left = tries_left - 1
    where token_sha256 = ${tokenSha256} and purpose = ${purpose} and tries_left > 0 and expires_at > ${now}
    returning user_id, data`;
  return row && ChallengeRow.parse(row);
}

/** Finds it for one caller only. */
export async function take(
  sql: Sql | Tx,
  purpose: string,
  tokenSha256: string,
  now: Date,
): Promise<ChallengeRow | undefined> {
  const [row] = await sql`
    delete from sign_in_challenges
    where token_sha256 = ${tokenSha256} and purpose = ${purpose} and expires_at > ${now}
    returning user_id, data`;
  return row && ChallengeRow.parse(row);
}

export async function deleteExpired(sql: Sql, now: Date): Promise<void> {
  await sql`delete from sign_in_challenges where expires_at <= ${now}`;
}

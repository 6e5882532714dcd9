import { hash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import * as challengeRepo from './challenge-repo.ts';

type Purpose = 'passkey_registration' | 'passkey_login' | 'second_factor' | 'provider_visit' | 'exchange';

type NewChallenge = {
  readonly userId?: string;
  /** Read again when the challenge comes back. */
  readonly data?: Readonly<Record<string, string | null>>;
  readonly ttlMs: number;
  /** How often `attempt` finds it. */
  readonly tries?: number;
};

type Found<Data> = { readonly userId: string | null; readonly data: Data };

export type Challenges = ReturnType<typeof createChallenges>;

/**
 * One-time secrets of sign-ins in progress. They are in the database, so any node can take one that another node issued;
 * it stores only their SHA-256.
 */
export function createChallenges({ sql, now = Date.now }: { sql: Sql; now?: () => number }) {
  return {
    /** A new secret of 256 random bits, in base64url. */
    async open(purpose: Purpose, { userId, data = {}, ttlMs, tries = 1 }: NewChallenge): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await challengeRepo.insert(sql, {
        token_sha256: hash('sha256', token),
        purpose,
        user_id: userId ?? null,
        data,
        tries_left: tries,
        expires_at: new Date(now() + ttlMs),
      });
      return token;
    },

    /** Counts an attempt. Undefined if it is unknown, expired, taken or out of attempts. */
    async attempt<Data>(
      purpose: Purpose,
      token: string,
      schema: z.ZodType<Data>,
    ): Promise<Found<Data> | undefined> {
      const row = await challengeRepo.takeAttempt(sql, purpose, hash('sha256', token), new Date(now()));
      return row && { userId: row.user_id, data: schema.parse(row.data) };
    },

    /** Takes it, for one caller only. Undefined if it is unknown, expired or taken. */
    async take<Data>(
      purpose: Purpose,
      token: string,
      schema: z.ZodType<Data>,
      db: Sql | Tx = sql,
    ): Promise<Found<Data> | undefined> {
      const row = await challengeRepo.take(db, purpose, hash('sha256', token), new Date(now()));
      return row && { userId: row.user_id, data: schema.parse(row.data) };
    },

    sweep: () => challengeRepo.deleteExpired(sql, new Date(now())),
  };
}

import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import type { ServerSecret } from '../platform/server-secret.ts';

type LinksParts = { readonly sql: Sql; readonly secret: ServerSecret };

export type VideoLinks = ReturnType<typeof createVideoLinks>;

// What comes from an address may be no text a database can hold.
const ID = /^vid_\w{1,40}$/;
const Owner = z.object({ account_id: z.string() });

/** Tokens that let whoever has one see one video, such as a player that can send no credential. They last as long as it. */
export function createVideoLinks({ sql, secret }: LinksParts) {
  const tokenOf = (id: string) => secret.mac('video link', id);

  return {
    tokenOf,

    /** The account whose video the token is for; undefined for a wrong token, and for a video that is not there. */
    async accountOf(id: string, token: string): Promise<string | undefined> {
      if (!ID.test(id) || !isSame(await tokenOf(id), token)) return undefined;
      const [row] = await sql`select account_id from videos where id = ${id}`;
      return row && Owner.parse(row).account_id;
    },
  };
}

function isSame(expected: string, token: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Sql } from './database/database.ts';
import { onceAsync } from './once-async.ts';

/** Keyed hashes: the same on every node, and impossible to compute without the server's secret. */
export type ServerSecret = {
  /** Hex HMAC-SHA-256 of a text, with a key of its own for each purpose. */
  mac(purpose: string, text: string): Promise<string>;
};

type ServerSecretDeps = {
  readonly sql: Sql;
  /** The operator's; without one the server makes its own and keeps it in the database, the same for all nodes. */
  readonly encryptionKey: string | undefined;
};

const Row = z.object({ value: z.string() });

export function createServerSecret({ sql, encryptionKey }: ServerSecretDeps): ServerSecret {
  const keys = new Map<string, Buffer>();
  const open = onceAsync(own);

  return {
    async mac(purpose, text) {
      let key = keys.get(purpose);
      if (!key) {
        key = Buffer.from(hkdfSync('sha256', await open(), '', purpose, 32));
        keys.set(purpose, key);
      }
      return createHmac('sha256', key).update(text).digest('hex');
    },
  };

  async function own(): Promise<string> {
    if (encryptionKey) return encryptionKey;
    await sql`
      insert into server_secrets (name, value) values ('mac', ${randomBytes(32).toString('base64')})
      on conflict do nothing`;
    const [row] = await sql`select value from server_secrets where name = 'mac'`;
    return Row.parse(row).value;
  }
}

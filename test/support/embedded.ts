import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { openReconnectSafeSocket } from '../../src/platform/database/driver/reconnect-safe-socket.ts';
import type { BridgeLimits } from '../../src/platform/database/embedded/bridge.ts';
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts';
import { copyEmbedded } from './database.ts';

export type TestEmbedded = Embedded & {
  readonly dataDir: string;
  /** A pool of connections, as the product has one. */
  readonly sql: postgres.Sql;
};

const EXAMPLE = fileURLToPath(new URL('../platform/database/example-migrations/', import.meta.url));

/** The embedded database with limits of one's own, holding the tables of the example migrations. */
export async function openTestEmbedded(limits: Partial<BridgeLimits> = {}): Promise<TestEmbedded> {
  const place = await copyEmbedded(EXAMPLE);
  const embedded = await openEmbedded(place.dataDir, limits);
  // An option that the driver's types lack.
  const socket = {
    socket: () => openReconnectSafeSocket(async () => ({ stream: await embedded.socket() })),
  } as object;
  const sql = postgres({ ...socket, max: 10, fetch_types: false, onnotice: () => {} });
  return {
    dataDir: place.dataDir,
    sql,
    socket: embedded.socket,
    copyTo: embedded.copyTo,
    async close() {
      await sql.end({ timeout: 1 });
      await embedded.close();
      await place.drop();
    },
  };
}

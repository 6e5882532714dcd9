/**
 * A postgres.js pool (3.4.9) over sockets that this product opens, with repairs for connection losses.
 * In: the driver's parsed options and a function that connects. Out: a pool that behaves like the driver's own.
 * Invariant: a lost connection rejects the queries and transactions on it, and nothing else.
 * README.md lists the upstream bugs, the tests that fail without each repair, and when to delete it.
 */
import postgres from 'postgres';
import type { Sql } from '../database.ts';
import { openReconnectSafeSocket } from './reconnect-safe-socket.ts';
import { withSafeTransactions } from './transactions.ts';
import type { Connection } from './watched-hosts.ts';

const CLOSE_TIMEOUT_SECONDS = 5;
const RECONNECT_SECONDS = 0.2;

/** The driver sends a message longer than this immediately; a shorter one waits for more bytes. */
const DRIVER_BUFFER_BYTES = 1024;

/** Opens a pool and verifies that it can connect. Rejects with the driver's error. */
export async function openPool(
  parsed: postgres.ParsedOptions,
  connect: () => Promise<Connection>,
): Promise<Sql> {
  const startupOptions = String(parsed.connection['options'] ?? '');
  const options = {
    ...parsed,
    socket: () => openReconnectSafeSocket(connect),
    // `connect` handles encryption.
    ssl: false,
    backoff: () => RECONNECT_SECONDS,
    // The driver rejects a transaction that starts as the last query allowed in a connection's pipeline.
    max_pipeline: Number.MAX_SAFE_INTEGER,
    // After some losses the driver never flushes its startup message, unless it fills the buffer.
    connection: { ...parsed.connection, options: startupOptions.padEnd(DRIVER_BUFFER_BYTES) },
  };
  // The driver accepts its own parsed options, as it does for a connection that listens; its types do not say so.
  const first: Sql = postgres(options as object);
  try {
    await first`select 1`;
  } finally {
    await first.end({ timeout: CLOSE_TIMEOUT_SECONDS });
  }
  // The first pool has fetched the array types. If each new connection did, a failure would end the process.
  const sql: Sql = postgres({ ...first.options, fetch_types: false } as object);
  return withSafeTransactions(sql);
}

/** Lets running queries finish, for at most 5 seconds. */
export async function closePool(sql: Sql): Promise<void> {
  await sql.end({ timeout: CLOSE_TIMEOUT_SECONDS });
}

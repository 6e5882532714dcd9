import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { Fault } from '../../errors.ts';
import { dial, type ServerAddress } from './driver/connect.ts';
import { steadySocket } from './driver/reconnect-safe-socket.ts';
import { withSafeTransactions } from './driver/transactions.ts';

export type Sql = postgres.Sql;
/** The client inside a transaction. Every query of the transaction goes through it. */
export type Tx = postgres.TransactionSql;

export type Database = {
  readonly sql: Sql;
  readonly engine: 'embedded' | 'postgres';
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** A PostgreSQL; undefined opens the embedded database in `dataDir/database`. */
  readonly url: string | undefined;
  readonly dataDir: string;
  /** How many connections at most, 10 unless said. */
  readonly connections?: number;
  /** Called with the text of every statement sent. */
  readonly onQuery?: (statement: string) => void;
};

type PoolOptions = postgres.Options<Record<string, never>>;

/** A request's statements are short; one that is not would hold up all the others. */
const STATEMENT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 15_000;
const CLOSE_SECONDS = 5;
const RECONNECT_SECONDS = 0.2;

/**
 * Opens the database and connects to it. Throws Fault `unavailable.database_locked` when another process has the
 * embedded database open, `unavailable.database` when the PostgreSQL does not answer.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir, connections = 10, onQuery } = options;
  const shared = {
    max: connections,
    onnotice: () => {},
    ...(onQuery && { debug: (_connection: number, statement: string) => onQuery(statement) }),
  };
  return url === undefined ? openEmbeddedDatabase(dataDir, shared) : openServer(url, shared);
}

async function openServer(url: string, shared: PoolOptions): Promise<Database> {
  const connection = {
    application_name: 'stallhand',
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const { options } = postgres(url, { ...shared, connection });
  const address = options as ServerAddress;
  const sql = await openPool(options, () => dial(address));
  return { sql, engine: 'postgres', close: () => sql.end({ timeout: CLOSE_SECONDS }) };
}

async function openEmbeddedDatabase(dataDir: string, shared: PoolOptions): Promise<Database> {
  const [{ openEmbedded }, { keepHouse }] = await Promise.all([
    import('./embedded/embedded.ts'),
    import('./embedded/housekeeping.ts'),
  ]);
  const embedded = await openEmbedded(dataDir);
  const { options } = postgres({ ...shared, max_lifetime: null });
  const sql = await openPool(options, embedded.socket).catch(async (error: unknown) => {
    await embedded.close();
    throw error;
  });
  const housekeeping = keepHouse(sql);
  return {
    sql,
    engine: 'embedded',
    async close() {
      housekeeping.stop();
      await sql.end({ timeout: CLOSE_SECONDS });
      await embedded.close();
    },
  };
}

/** Makes the driver's pool over connections of our own, and sees that they can be made. */
async function openPool(parsed: postgres.ParsedOptions, open: () => Promise<Duplex>): Promise<Sql> {
  const options = {
    ...parsed,
    socket: () => steadySocket(open),
    // Encryption is the business of `open`.
    ssl: false,
    backoff: () => RECONNECT_SECONDS,
    // A transaction that begins as the last query a connection may be sent at once is refused by the driver, too.
    max_pipeline: Number.MAX_SAFE_INTEGER,
    // After some losses the driver never sends its greeting, unless it is too long to wait for company (1024 bytes).
    connection: { ...parsed.connection, options: String(parsed.connection['options'] ?? '').padEnd(1024) },
  };
  // The driver takes its own parsed options back, as it does for a connection that listens; its types do not say so.
  const first: Sql = postgres(options as object);
  try {
    await first`select 1`;
  } catch (error) {
    throw databaseFault(error) ?? error;
  } finally {
    await first.end({ timeout: CLOSE_SECONDS });
  }
  // Otherwise every new connection asks for the array types, and ends the process when that fails.
  const sql: Sql = postgres({ ...first.options, fetch_types: false } as object);
  return withSafeTransactions(sql);
}

/** The answer to a failure of the database itself, such as a lost connection; undefined for any other error. */
export function databaseFault(error: unknown): Fault | undefined {
  if (error instanceof Fault && error.code === 'unavailable') return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const { code } = error;
  const found = FAILURES.find(({ codes }) => codes.test(code));
  return found && new Fault(found.key, {}, { retryAfterSeconds: found.seconds, cause: error });
}

/** SQLSTATEs, and the codes of the driver and of Node's sockets. */
const FAILURES = [
  { key: 'unavailable.database_full', seconds: 60, codes: /^(53100|ENOSPC)$/ },
  // Waited too long, took too long, too many connections or too little memory, lost against another transaction.
  { key: 'unavailable.database_busy', seconds: 1, codes: /^(55P03|57014|53\w{3}|40001|40P01|25P0[34])$/ },
  // Stopping, starting, a standby, gone, not found.
  {
    key: 'unavailable.database',
    seconds: 5,
    codes:
      /^(57P0\d|08\w{3}|25006|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|E\w+UNREACH|ETIMEDOUT)$/,
  },
] as const;

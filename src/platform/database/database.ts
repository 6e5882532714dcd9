/**
 * The one way to the database: a PostgreSQL server by url, or the embedded one (PGlite) in a folder.
 * In: where it is. Out: `sql`, the driver's tagged template, for both alike.
 * Invariant: a failure of the database itself becomes Fault `unavailable.*` through `databaseFault`.
 */
import postgres from 'postgres';
import { Fault } from '../../errors.ts';
import { connect, type ServerAddress } from './driver/connect.ts';
import { closePool, openPool } from './driver/driver.ts';

export type Sql = postgres.Sql;
/** The client inside a transaction. Every query of the transaction goes through it. */
export type Tx = postgres.TransactionSql;

export type Database = {
  readonly sql: Sql;
  /** For long work that no one waits for: on the embedded database, its statements let all others go first. */
  readonly background: Sql;
  readonly engine: 'embedded' | 'postgres';
  close(): Promise<void>;
};

/** A subscription to a channel of PostgreSQL's NOTIFY. */
export type Listener = {
  readonly channel: string;
  onNotify(payload: string): unknown;
  /** Called when listening starts and after each reconnect: notifications may have been missed. */
  onReconnect?(): unknown;
};

export type DatabaseOptions = {
  /** A PostgreSQL; undefined opens the embedded database in `dataDir/database`. */
  readonly url: string | undefined;
  readonly dataDir: string;
  /** Maximum number of connections. Default: 10. */
  readonly connections?: number;
  /** Called with the text of every statement sent. */
  readonly onQuery?: (statement: string) => void;
};

type PoolOptions = postgres.Options<Record<string, never>>;

/** Statements are short; a long one would block others that wait for its connection or locks. */
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Opens the database and connects to it. Throws Fault `unavailable.database_locked` when another process has the
 * embedded database open, `unavailable.database` when the PostgreSQL server is unreachable.
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
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const { options } = postgres(url, { ...shared, connection });
  const address = options as ServerAddress;
  const sql = await openVerified(() => openPool(options, () => connect(address)));
  return { sql, background: sql, engine: 'postgres', close: () => closePool(sql) };
}

async function openEmbeddedDatabase(dataDir: string, shared: PoolOptions): Promise<Database> {
  const [{ openEmbedded }, { startMaintenance }] = await Promise.all([
    import('./embedded/embedded.ts'),
    import('./embedded/maintenance.ts'),
  ]);
  const embedded = await openEmbedded(dataDir);
  const { options } = postgres({ ...shared, max_lifetime: null });
  // Planned each time, for the rows it is about: a plan for any rows is bad for tables that have just been filled.
  const unprepared = { ...options, prepare: false };
  const [sql, background] = await Promise.all([
    openVerified(() => openPool(options, () => embedded.socket())),
    openVerified(() => openPool(unprepared, () => embedded.socket('background'))),
  ]).catch(async (error: unknown) => {
    await embedded.close();
    throw error;
  });
  const maintenance = startMaintenance(sql);
  return {
    sql,
    background,
    engine: 'embedded',
    async close() {
      maintenance.stop();
      await Promise.all([sql, background].map(closePool));
      await embedded.close();
    },
  };
}

async function openVerified(open: () => Promise<Sql>): Promise<Sql> {
  try {
    return await open();
  } catch (error) {
    throw databaseFault(error) ?? error;
  }
}

/** The Fault for a failure of the database itself, such as a lost connection; undefined for any other error. */
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
  // Lock timeout, statement timeout, too many connections, out of memory, serialization failure, deadlock.
  { key: 'unavailable.database_busy', seconds: 1, codes: /^(55P03|57014|53\w{3}|40001|40P01|25P0[34])$/ },
  // Shutting down, starting up, read-only standby, connection lost, host not found.
  {
    key: 'unavailable.database',
    seconds: 5,
    codes:
      /^(57P0\d|08\w{3}|25006|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|E\w+UNREACH|ETIMEDOUT)$/,
  },
] as const;

/** True for the error of a statement that violates the constraint of that name. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof postgres.PostgresError && error.constraint_name === constraint;
}

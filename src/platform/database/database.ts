/**
 * The one way to the database: a PostgreSQL server by url, or the embedded one (PGlite) in a folder.
 * In: where it is. Out: `sql`, the driver's tagged template, for both alike.
 * Invariant: a failure of the database itself becomes Fault `unavailable.*` through `databaseFault`.
 */
import postgres from 'postgres';
import { databaseFault } from './database-fault.ts';
import { hostsOf, type ServerAddress } from './driver/connect.ts';
import { createConnectionCount } from './driver/connection-count.ts';
import { closePool, openPool } from './driver/driver.ts';
import { watchHosts } from './driver/watched-hosts.ts';
import type { Embedded } from './embedded/embedded.ts';

export type Sql = postgres.Sql;
/** The client inside a transaction. Every query of the transaction goes through it. */
export type Tx = postgres.TransactionSql;

export type Database = {
  readonly sql: Sql;
  /**
   * For long work that no one waits for: on the embedded database, its statements let all others go first, and are planned
   * each time. A transaction sets `plan_cache_mode` for its own.
   */
  readonly background: Sql;
  readonly engine: 'embedded' | 'postgres';
  /** Copies the embedded database into a folder that does not exist, as it is at one moment; undefined for PostgreSQL. */
  readonly copyTo: ((folder: string) => Promise<void>) | undefined;
  /** Connections of this process: those that are open, and how many there may be. */
  connections(): { readonly open: number; readonly max: number };
  close(): Promise<void>;
};

/** A subscription to a channel of PostgreSQL's NOTIFY. */
export type Listener = {
  readonly channel: string;
  onNotify(payload: string): unknown;
  /** Called when listening starts and after each reconnect: notifications may have been missed. */
  onReconnect?(): unknown;
};

export type DatabaseOptions = ConnectionOptions & {
  /** A PostgreSQL; undefined opens the embedded database in `dataDir/database`. */
  readonly url: string | undefined;
  readonly dataDir: string;
};

export type ConnectionOptions = {
  /** Maximum number of connections. Default: 10. */
  readonly connections?: number;
  /** Called with the text of every statement sent. */
  readonly onQuery?: (statement: string) => void;
};

/** Statements that are written with a change, in its transaction: both count, or neither. */
export type Also = (tx: Tx, id: string) => Promise<void>;

type PoolOptions = postgres.Options<Record<string, never>>;

/** Statements are short; a long one would block others that wait for its connection or locks. */
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Opens the database and connects to it. Throws Fault `unavailable.database_locked` when another process has the
 * embedded database open, `unavailable.database` when the PostgreSQL server is unreachable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir } = options;
  return url === undefined ? openEmbeddedDatabase(dataDir, options) : openServer(url, poolOptions(options));
}

function poolOptions({ connections = 10, onQuery }: ConnectionOptions): PoolOptions {
  return {
    max: connections,
    onnotice: () => {},
    ...(onQuery && { debug: (_connection: number, statement: string) => onQuery(statement) }),
  };
}

async function openServer(url: string, shared: PoolOptions): Promise<Database> {
  const connection = {
    application_name: 'stallhand',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const { options } = postgres(url, { ...shared, connection });
  const hosts = watchHosts(hostsOf(options as ServerAddress));
  try {
    const sockets = createConnectionCount(hosts.connect);
    const sql = await openVerified(() => openPool(options, sockets.connect));
    return {
      sql,
      background: sql,
      engine: 'postgres',
      copyTo: undefined,
      connections: () => ({ open: sockets.open(), max: options.max }),
      close: () => closePool(sql).finally(hosts.close),
    };
  } catch (error) {
    hosts.close();
    throw error;
  }
}

async function openEmbeddedDatabase(dataDir: string, options: ConnectionOptions): Promise<Database> {
  const { openEmbedded } = await import('./embedded/embedded.ts');
  const embedded = await openEmbedded(dataDir);
  const database = await connectEmbedded(embedded, options).catch(async (error: unknown) => {
    await embedded.close();
    throw error;
  });
  return {
    ...database,
    async close() {
      await database.close();
      await embedded.close();
    },
  };
}

/** Connects to an open embedded database, which stays open after `close`. */
export async function connectEmbedded(embedded: Embedded, connection: ConnectionOptions): Promise<Database> {
  const { startMaintenance } = await import('./embedded/maintenance.ts');
  const { options } = postgres({ ...poolOptions(connection), max_lifetime: null });
  // Planned each time, for the rows it is about: a plan for any rows is bad for tables that have just been filled.
  const unprepared = { ...options, prepare: false };
  const sockets = createConnectionCount(async () => ({ stream: await embedded.socket() }));
  const inBackground = async () => ({ stream: await embedded.socket('background') });
  const [sql, background, transactions] = await Promise.all([
    openVerified(() => openPool(options, sockets.connect)),
    openVerified(() => openPool(unprepared, inBackground)),
    openVerified(() => openPool(options, inBackground)),
  ]);
  // All others wait for a whole transaction, and a prepared statement takes half the round trips to the thread.
  background.begin = transactions.begin;
  const maintenance = startMaintenance(sql);
  return {
    sql,
    background,
    engine: 'embedded',
    copyTo: embedded.copyTo,
    connections: () => ({ open: sockets.open(), max: options.max }),
    async close() {
      maintenance.stop();
      await Promise.all([sql, background, transactions].map(closePool));
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

/** True for the error of a statement that violates the constraint of that name. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof postgres.PostgresError && error.constraint_name === constraint;
}

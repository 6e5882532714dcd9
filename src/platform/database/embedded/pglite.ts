import type { PGlite } from '@electric-sql/pglite';
import type { Engine } from './bridge.ts';
import { interruptsOf, throwWhenDead } from './pglite-module.ts';
import { watchStatements } from './statement-watch.ts';
import { readBackend, startupMessage } from './wire.ts';

export type PgliteEngine = Engine & {
  /** The whole database as a gzipped tar file. */
  dump(): Promise<Blob>;
  close(): Promise<void>;
};

/** The defaults are for servers: 128 MB of memory for good, whose files the system keeps in memory anyway, 1 GB of log. */
const START = ['-c', 'shared_buffers=32MB', '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'];

/** Opens the PGlite database of a folder; makes it, from a dump or empty, when there is none. */
export async function startPglite(folder: string, dump?: Blob): Promise<PgliteEngine> {
  // 14 MB of WebAssembly that nobody needs who names a PostgreSQL.
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(folder, {
    startParams: [...PGlite.defaultStartParams, ...START],
    ...(dump && { loadDataDir: dump }),
  });
  return engineOf(database);
}

async function engineOf(database: PGlite): Promise<PgliteEngine> {
  const isDead = throwWhenDead(database.Module);
  const interrupts = interruptsOf(database.Module);
  const watch = watchStatements(interrupts.cancelStatement);
  const hello = await run(
    startupMessage({ user: 'postgres', database: 'postgres' }),
    Number.POSITIVE_INFINITY,
  );
  const greeting = readBackend(hello).filter(({ type }) => type !== 'K' && type !== 'Z');

  return {
    greeting: Buffer.concat(greeting.map(({ bytes }) => bytes)),
    run,
    async dump() {
      await database.exec('checkpoint');
      return database.dumpDataDir('gzip');
    },
    async close() {
      watch.close();
      // A dead one may write nothing more: the next one recovers from what is on disk.
      await (isDead() ? database.fs?.closeFs() : database.close());
    },
  };

  async function run(group: Buffer, limitMs: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await watch.guard(limitMs, () =>
      // A piece is a view of memory that the next one overwrites.
      database.execProtocolRawStream(group, { onRawData: (piece) => pieces.push(Buffer.from(piece)) }),
    );
    interrupts.forget();
    return Buffer.concat(pieces);
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import postgres from 'postgres';
import { familyOf, kilobytesOf } from '../video/watch-tree.ts';

/** What the servers hold at one moment. Linux only. */
export type Condition = {
  /** Of the servers, their browsers and encoders, in MiB; shared pages count once. */
  readonly memory: number;
  /** Open files, sockets and pipes of the servers. */
  readonly handles: number;
  readonly processes: number;
  /** Entries of the folder for temporary files. */
  readonly temporary: number;
  /** Jobs in the queue, also those that are done; undefined for the embedded database, which no one else may open. */
  readonly jobs: number | undefined;
};

export async function conditionOf(
  pids: readonly number[],
  temporary: string,
  databaseUrl: string | undefined,
): Promise<Condition> {
  const family = pids.flatMap((pid) => familyOf(pid).map((one) => one.pid));
  return {
    memory: Math.round(family.reduce((sum, pid) => sum + kilobytesOf(pid, 'Pss'), 0) / 1024),
    handles: pids.reduce((sum, pid) => sum + entriesOf(`/proc/${pid}/fd`), 0),
    processes: family.length,
    temporary: entriesOf(temporary),
    jobs: databaseUrl === undefined ? undefined : await jobsIn(databaseUrl),
  };
}

/** Command lines of processes that name a folder. */
export function leftIn(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    const command = /^\d+$/.test(pid) ? commandOf(pid) : '';
    return command.includes(`${folder}/`) ? [command.slice(0, 120)] : [];
  });
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It has ended since the listing.
    return '';
  }
}

function entriesOf(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

async function jobsIn(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from pgboss.job`;
    return row?.rows ?? 0;
  } finally {
    await sql.end();
  }
}

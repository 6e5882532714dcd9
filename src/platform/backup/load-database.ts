import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../database/database.ts';
import { databaseFault } from '../database/database-fault.ts';
import type { Queue } from '../queue/queue.ts';
import { hasJobs, WaitingJob } from '../queue/waiting-jobs.ts';
import { type Manifest, readArchive } from './archive.ts';
import type { Progress } from './kept.ts';
import { parsePath } from './paths.ts';
import type { Placing } from './placing.ts';
import { createRowSum } from './row-sum.ts';
import {
  emptyTables,
  findTables,
  prepareTransaction,
  readRows,
  type Table,
  withoutConstraints,
  writeRows,
  writeSequences,
} from './tables.ts';

type LoadDeps = {
  /** Open, for all queues of the manifest. */
  readonly queue: Queue;
  readonly placing: Placing;
  readonly progress: Progress;
};

/** @throws Fault conflict.database_used where there is any table, conflict.database_jobs where there are only jobs */
export async function requireEmpty(sql: Sql): Promise<void> {
  const found = await sql`
    select from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace limit 1`;
  if (found.length > 0) throw new Fault('conflict.database_used');
  if (await hasJobs(sql)) throw new Fault('conflict.database_jobs');
}

/**
 * Loads an archive into a database with its schema and no more rows than migrations write, then reads all rows
 * again.
 * @throws Error naming the table whose rows differ from the saved ones
 */
export async function loadDatabase(
  tx: Tx,
  file: string,
  manifest: Manifest,
  { queue, placing, progress }: LoadDeps,
): Promise<void> {
  await prepareTransaction(tx);
  const tables = new Map((await findTables(tx)).map((table) => [table.name, table]));
  requireSameTables(tables, manifest);
  let rows = 0;
  await withoutConstraints(tx, async () => {
    await emptyTables(tx, [...tables.values()]);
    await readArchive(file, async (path, content) => {
      try {
        await take(path, content);
      } catch (error) {
        throw databaseFault(error) ?? error;
      }
    });
  });
  await requireSameRows(tx, tables, manifest, progress);

  async function take(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    const entry = parsePath(path);
    if (entry.kind === 'file') return placing.placeFile(entry.key, content);
    const text = String(Buffer.concat(await Array.fromAsync(content)));
    switch (entry.kind) {
      case 'key':
        return placing.placeKey(text);
      case 'sequences':
        return writeSequences(tx, JSON.parse(text));
      case 'queue':
        return addJobs(tx, queue, z.array(WaitingJob).parse(JSON.parse(text)));
      case 'rows': {
        const table = tables.get(entry.table);
        if (!table) throw new Error('this table is not in the schema');
        const lines = text.split('\n').slice(0, -1);
        await writeRows(tx, table, lines);
        rows += lines.length;
        progress('rows restored', rows);
      }
    }
  }
}

async function addJobs(tx: Tx, queue: Queue, jobs: readonly WaitingJob[]): Promise<void> {
  for (const { queue: name, job, ahead } of jobs) await queue.add(tx, name, [job], { ahead });
}

function requireSameTables(tables: ReadonlyMap<string, Table>, manifest: Manifest): void {
  for (const { name, columns } of manifest.tables) {
    const own = tables.get(name)?.columns.map((column) => column.name);
    if (String(own) !== String(columns.map((column) => column.name)))
      throw new Error(`the table ${name} has other columns than migration ${manifest.schema} gives it`);
  }
}

async function requireSameRows(
  tx: Tx,
  tables: ReadonlyMap<string, Table>,
  manifest: Manifest,
  progress: Progress,
): Promise<void> {
  let count = 0;
  for (const table of tables.values()) {
    const saved = manifest.tables.find(({ name }) => name === table.name);
    const found = createRowSum();
    for await (const lines of readRows(tx, table)) {
      for (const line of lines) found.add(line);
      count += lines.length;
      progress('restored rows compared', count);
    }
    const { rows, sum } = found.result();
    if (!saved || saved.rows !== rows || saved.sum !== sum)
      throw new Error(`the rows of ${table.name} are not those that were saved`);
  }
}

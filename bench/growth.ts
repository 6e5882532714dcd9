import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { SCOPES } from '../src/identity/caller.ts';
import { givePlan } from '../test/support/plans.ts';
import { productRegistry } from '../tools/index.ts';
import { createChildren } from './children.ts';
import { fill } from './growth/fill.ts';
import { type Operation, openOperations, seed } from './growth/operations.ts';
import { startPair } from './growth/pair.ts';
import { processesOf, processorOf } from './hooks/processor.ts';
import { loadAverage } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';
import { toolCalls } from './tool-calls.ts';

/*
 * npm run bench:growth: what an operation costs with n templates, versions, hooks, videos, rows or accounts. Processor time is of
 * this process and of PostgreSQL together, the median of the calls; the tables are filled in SQL. Needs DATABASE_URL.
 */

type Cost = { readonly statements: number; readonly ms: number };
type Row = { readonly name: string; readonly grows: string; readonly costs: readonly Cost[] };

/** PostgreSQL needs one before it keeps a token of a store. */
const ENCRYPTION_KEY = 'a key of this bench alone, as long as it needs to be';
/** The first calls prepare statements and warm the process. */
const WARM_UP_CALLS = 5;
const log = pino({ level: 'silent' });

await runBench(async (signal) => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10,1000,100000' },
      calls: { type: 'string', default: '30' },
      json: { type: 'string' },
    },
  });
  const url = process.env['DATABASE_URL'];
  if (url === undefined) throw new Error('Set DATABASE_URL to a PostgreSQL server.');
  const sizes = values.sizes.split(',').map(Number);
  const rows = new Map<string, Row>();
  for (const n of sizes) {
    await using database = await createScratchDatabase(url);
    const given = { databaseUrl: database.url, n, calls: Number(values.calls), signal };
    for (const [operation, cost] of await measureAt(given)) {
      const { name, grows } = operation;
      rows.set(name, { name, grows, costs: [...(rows.get(name)?.costs ?? []), cost] });
    }
    console.log(`n = ${n} measured, load average ${loadAverage()}`);
  }
  console.log(`\n${tableOf([...rows.values()], sizes)}`);
  if (values.json)
    await writeFile(values.json, `${JSON.stringify({ sizes, rows: [...rows.values()] }, null, 2)}\n`);
});

type Measuring = {
  readonly databaseUrl: string;
  readonly n: number;
  readonly calls: number;
  readonly signal: AbortSignal;
};

async function measureAt({ databaseUrl, n, calls, signal }: Measuring): Promise<[Operation, Cost][]> {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-growth-'));
  await using children = createChildren(folder, signal);
  const places = await startPair(children, n, signal);
  let statements = 0;
  const onQuery = (statement: string) => {
    if (!/pgboss|pg_notify/i.test(statement)) statements++;
  };
  const app = await createApp({
    config: readConfig({ DATA_DIR: folder, DATABASE_URL: databaseUrl, ENCRYPTION_KEY, ...places }),
    log,
    onQuery,
  });
  try {
    const { id } = await app.accounts.create('bench');
    await givePlan(app, id, 'enterprise');
    await givePlan(app, id, 'pro_api', 'sync');
    const caller = { accountId: id, actor: 'bench', scopes: SCOPES, via: 'local' } as const;
    const call = toolCalls({ app, registry: productRegistry(), log, caller });
    const keys = await seed(app, call, id);
    await fill(databaseUrl, id, n);
    const { operations, close } = await openOperations({ app, call, accountId: id, keys, n });
    const costs: [Operation, Cost][] = [];
    for (const operation of operations) {
      const warmUp = Math.min(WARM_UP_CALLS, operation.calls ?? WARM_UP_CALLS);
      for (let nth = 1; nth <= warmUp; nth++) await operation.run(nth);
      const pids = [
        process.pid,
        ...processesOf('postgres: ', ` ${basename(new URL(databaseUrl).pathname)} `),
      ];
      const samples: Cost[] = [];
      for (let nth = 1; nth <= Math.min(calls, operation.calls ?? calls); nth++) {
        const before = { statements, ms: processorOf(pids) };
        await operation.run(warmUp + nth);
        samples.push({ statements: statements - before.statements, ms: processorOf(pids) - before.ms });
      }
      costs.push([
        operation,
        { statements: median(samples.map((one) => one.statements)), ms: median(samples.map(({ ms }) => ms)) },
      ]);
    }
    await close();
    return costs;
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Markdown, for docs/performance.md. */
function tableOf(rows: readonly Row[], sizes: readonly number[]): string {
  const times = (costs: readonly Cost[]) =>
    costs.slice(1).map(({ ms }) => `${(ms / (costs[0]?.ms ?? Number.NaN)).toFixed(2)} ×`);
  const lines = rows.map(({ name, grows, costs }) => [
    name,
    grows,
    costs.map((cost) => cost.statements).join(', '),
    costs.map(({ ms }) => ms.toFixed(1)).join(', '),
    ...times(costs),
  ]);
  const [first, ...others] = sizes;
  const head = ['operation', 'n', 'statements', 'cpu ms', ...others.map((n) => `${n} / ${first}`)];
  return align(
    [head, head.map(() => '---'), ...lines].map((line) => [
      `| ${line[0]}`,
      ...line.slice(1).map((cell) => `| ${cell}`),
      '|',
    ]),
  );
}

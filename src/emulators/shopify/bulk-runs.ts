import { runLines, shuffled } from './bulk-mutation.ts';
import { bulkQueryLines } from './bulk-query.ts';
import type { Engine, Prepared } from './engine.ts';
import type { Shop } from './shop.ts';

const AT_ONCE_MOST = 5;
/** Results that can still be fetched. */
const RESULTS_KEPT = 5;
/** How long an operation waits before it begins, and how long it takes to be canceled. */
const WAIT_MS = 200;

type Json = Readonly<Record<string, unknown>>;
type BulkKind = 'query' | 'mutation';

export type BulkRun = {
  readonly id: string;
  readonly kind: BulkKind;
  readonly version: string;
  readonly prepared: Prepared;
  readonly startedAt: number;
  /** Of a mutation, by lines. */
  readonly variables: readonly Json[];
  canceledAt: number | undefined;
  status: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'CANCELING' | 'CANCELED';
  /** Objects or lines so far. */
  count: number;
  /** Of a mutation, the result so far. */
  lines: string[];
  /** The file, in parts, once there is one. */
  result: Buffer[] | undefined;
};

type Parts = {
  readonly engine: Engine;
  readonly shop: Shop;
  /** How long an operation runs. */
  readonly runMs: number;
  readonly now: () => number;
  readonly onEnd: (run: BulkRun) => void;
};

export type BulkRuns = ReturnType<typeof createBulkRuns>;

/** The bulk operations there are, each as far as it is by the clock. */
export function createBulkRuns({ engine, shop, runMs, now, onEnd }: Parts) {
  const runs = new Map<string, BulkRun>();

  /** Does what is due by now. */
  function advance(): void {
    for (const run of runs.values()) {
      if (isOver(run)) continue;
      if (run.canceledAt === undefined) proceed(run, now() - run.startedAt - WAIT_MS);
      else if (now() - run.canceledAt >= WAIT_MS) end(run, 'CANCELED');
    }
  }

  function proceed(run: BulkRun, elapsed: number): void {
    if (elapsed < 0) return;
    run.status = 'RUNNING';
    const share = elapsed >= runMs ? 1 : elapsed / runMs;
    if (run.kind === 'mutation') runDue(run, share);
    if (share === 1) end(run, 'COMPLETED');
  }

  function runDue(run: BulkRun, share: number): void {
    const { prepared, version, variables, lines } = run;
    const due = variables.slice(lines.length, Math.floor(variables.length * share));
    lines.push(...runLines(engine, prepared, version, due, lines.length));
    run.count = lines.length;
  }

  function end(run: BulkRun, status: 'COMPLETED' | 'CANCELED'): void {
    run.status = status;
    if (run.kind === 'mutation') keep(run, shuffled(run.lines));
    else if (status === 'COMPLETED') readAll(run);
    run.lines = [];
    const [oldest] = [...runs.values()].filter(({ result }) => result).slice(0, -RESULTS_KEPT);
    if (oldest) oldest.result = undefined;
    onEnd(run);
  }

  function readAll(run: BulkRun): void {
    for (const lines of bulkQueryLines(engine, run.prepared, run.version, shop)) {
      keep(run, lines);
      run.count += lines.length;
    }
  }

  return {
    advance,
    find: (id: string) => runs.get(id),
    isFull(kind: BulkKind): boolean {
      return [...runs.values()].filter((run) => run.kind === kind && !isOver(run)).length >= AT_ONCE_MOST;
    },
    start(kind: BulkKind, prepared: Prepared, version: string, variables: readonly Json[] = []): BulkRun {
      const run: BulkRun = {
        id: `gid://shopify/BulkOperation/${runs.size + 1}`,
        kind,
        version,
        prepared,
        startedAt: now(),
        variables,
        canceledAt: undefined,
        status: 'CREATED',
        count: 0,
        lines: [],
        result: undefined,
      };
      runs.set(run.id, run);
      return run;
    },
    /** False where it is over already. */
    cancel(run: BulkRun): boolean {
      if (isOver(run)) return false;
      run.canceledAt ??= now();
      run.status = 'CANCELING';
      return true;
    },
  };
}

function isOver({ status }: BulkRun): boolean {
  return status === 'COMPLETED' || status === 'CANCELED';
}

function keep(run: BulkRun, lines: readonly string[]): void {
  if (lines.length === 0) return;
  run.result ??= [];
  run.result.push(Buffer.from(`${lines.join('\n')}\n`));
}

import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Browser } from '../platform/browser/browser.ts';
import type { Sample } from '../platform/metrics/meter.ts';
import { version } from '../version.ts';
import type { Base } from './service.ts';

/** The database and the disk are read at most this often, however many read metrics. */
const TTL_MS = 10_000;
/** A database that takes longer counts as down. */
const DATABASE_TIMEOUT_MS = 2_000;
/** How often the delay of timers is measured. What is measured contains the interval itself. */
const RESOLUTION_MS = 20;

const WorkRow = z.object({
  kind: z.string(),
  state: z.string(),
  items: z.coerce.number(),
  oldest: z.coerce.number(),
});

type State = {
  readonly isUp: boolean;
  /** Undefined where the database did not answer. */
  readonly answerSeconds: number | undefined;
  readonly work: readonly z.output<typeof WorkRow>[];
  readonly disk: { readonly free: number; readonly size: number } | undefined;
};

type MetricsDeps = Pick<Base, 'database' | 'config' | 'metrics'> & {
  readonly browser: Pick<Browser, 'state'>;
  readonly databaseTimeoutMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
};

/** The text that GET /metrics serves: what was counted, and the state of the process, its database and its disk. */
export function createMetricsText({
  database,
  config,
  metrics: { meter },
  browser,
  databaseTimeoutMs = DATABASE_TIMEOUT_MS,
  now = () => performance.now(),
}: MetricsDeps) {
  // Only for those who look: it wakes the process 50 times a second.
  let loop: ReturnType<typeof monitorEventLoopDelay> | undefined;
  let kept: { readonly at: number; readonly state: Promise<State> } | undefined;
  let state: State = { isUp: false, answerSeconds: undefined, work: [], disk: undefined };

  const { gauge } = meter;
  gauge('stallhand_build_info', 'Always 1, with the versions.', () => [
    { labels: { version, node: process.versions.node }, value: 1 },
  ]);
  gauge('stallhand_uptime_seconds', 'Age of the process.', () => [{ value: process.uptime() }]);
  gauge(
    'stallhand_memory_bytes',
    'Memory of the process. area: rss, heap_used, heap_total, external.',
    () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      return labeled('area', { rss, heap_used: heapUsed, heap_total: heapTotal, external });
    },
  );
  gauge(
    'stallhand_event_loop_delay_seconds',
    'How late timers were since the last time metrics were read; none the first time.',
    () => loopDelay(),
  );
  gauge('stallhand_browser_pages', 'Pages of the browser. state: busy, waiting (callers in line).', () => {
    const { busy, waiting } = browser.state();
    return labeled('state', { busy, waiting });
  });
  gauge('stallhand_database_up', '1 if the database answered within 2 seconds.', () => [
    { value: state.isUp ? 1 : 0 },
  ]);
  gauge(
    'stallhand_database_answer_seconds',
    'How long a small statement took, with its wait for a connection.',
    () => known(state.answerSeconds),
  );
  gauge('stallhand_database_connections', 'Open connections of this node, and its maximum.', () =>
    labeled('state', database.connections()),
  );
  gauge(
    'stallhand_work',
    'Unfinished work of all nodes. kind: job, video, sync_run; state: as their APIs name it.',
    () => state.work.map(({ kind, state, items }) => ({ labels: { kind, state }, value: items })),
  );
  gauge('stallhand_work_oldest_seconds', 'Age of the oldest unfinished work, by kind and state.', () =>
    state.work.map(({ kind, state, oldest }) => ({ labels: { kind, state }, value: oldest })),
  );
  gauge('stallhand_disk_free_bytes', 'Free space where files are kept.', () => known(state.disk?.free));
  gauge('stallhand_disk_size_bytes', 'Size of the disk where files are kept.', () => known(state.disk?.size));

  return {
    async text(): Promise<string> {
      const at = now();
      if (!kept || at - kept.at >= TTL_MS) kept = { at, state: readState() };
      state = await kept.state;
      return meter.text();
    },
    close: () => void loop?.disable(),
  };

  function loopDelay(): readonly Sample[] {
    if (!loop) {
      loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      loop.enable();
    }
    if (loop.count === 0) return [];
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
    const samples = labeled('quantile', {
      '0.5': seconds(loop.percentile(50)),
      '0.99': seconds(loop.percentile(99)),
      '1': seconds(loop.max),
    });
    loop.reset();
    return samples;
  }

  async function readState(): Promise<State> {
    const start = now();
    const work = await Promise.race([
      unfinishedWork().catch(() => undefined),
      delay(databaseTimeoutMs, undefined, { ref: false }),
    ]);
    const answerSeconds = work && (now() - start) / 1000;
    return { isUp: work !== undefined, answerSeconds, work: work ?? [], disk: await readDisk() };
  }

  async function unfinishedWork() {
    // All accounts, and nothing of any of them.
    const rows = await database.sql`
      select kind, state, count(*) as items,
        greatest(0, extract(epoch from now() - min(created_at))) as oldest
      from (
        select 'job' as kind, status as state, created_at from jobs where finished_at is null
        union all
        select 'video', status, created_at from videos where status in ('pending', 'rendering', 'finalizing')
        union all
        select 'sync_run', status, created_at from sync_runs
          where status in ('queued', 'planning', 'applying') and not dry_run
      ) as unfinished
      group by kind, state order by kind, state`;
    return z.array(WorkRow).parse(rows);
  }

  async function readDisk(): Promise<State['disk']> {
    const disk = await statfs(config.blobsDir ?? config.dataDir).catch(() => undefined);
    return disk && { free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize };
  }
}

function labeled(name: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([label, value]) => ({ labels: { [name]: label }, value }));
}

function known(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [{ value }];
}

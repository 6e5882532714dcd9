/**
 * A service is a value: what it offers, and what the app must run for it. `runServices` folds any number of them.
 * In: services built over one open database. Out: a scheduler to stop.
 * Invariant: listeners are subscribed before periodic jobs start.
 */
import type { Prompts } from '../ai/prompts.ts';
import type { Audit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import type { Exporter } from '../identity/accounts/account-export.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Database, Listener, Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { type PeriodicJobs, startScheduler } from '../platform/scheduler.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Retained } from '../retention/retention.ts';

/** Dependencies of every service. */
export type Base = {
  readonly database: Database;
  readonly sql: Sql;
  readonly queue: Queue;
  readonly config: Config;
  readonly log: Log;
  readonly audit: Audit;
  /** Undefined if email is not configured. */
  readonly mail: Mail | undefined;
  readonly blobs: Blobs;
  readonly prompts: Prompts;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The time that all nodes go by, in milliseconds since 1970. */
  readonly now: () => number;
};

export type Service<Api = object> = {
  readonly api: Api;
  /** Channels it listens to on every node. */
  readonly listeners: readonly Listener[];
  /** Periodic work, safe on several nodes at the same time. */
  readonly jobs: { readonly hourly?: PeriodicJobs; readonly frequent?: PeriodicJobs };
  /** Its sections of an account export. */
  readonly exporters: readonly Exporter[];
  /** What it deletes when an account has kept it longer than its term. */
  readonly retained: readonly Retained[];
  close(): Promise<void>;
};

const NONE = { listeners: [], jobs: {}, exporters: [], retained: [], close: async () => {} };

/** Fills in what a service does not need. */
export function defineService<Api>(service: { api: Api } & Partial<Service<Api>>): Service<Api> {
  return { ...NONE, ...service };
}

/** Subscribes the listeners and starts the periodic jobs, until the scheduler is stopped. */
export async function runServices(services: readonly Service[], { sql, log }: Base) {
  for (const { channel, onNotify, onReconnect } of services.flatMap(({ listeners }) => listeners))
    await sql.listen(channel, onNotify, onReconnect);
  return startScheduler({
    log,
    hourly: Object.assign({}, ...services.map(({ jobs }) => jobs.hourly)),
    frequent: Object.assign({}, ...services.map(({ jobs }) => jobs.frequent)),
  });
}

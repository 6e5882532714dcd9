import { createWriters } from './ai/writers.ts';
import type { Config } from './config.ts';
import { GENERATION_TIMEOUT_MS } from './hooks/writing/writing.ts';
import { createAccountExport } from './identity/account-export.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { migrate } from './platform/database/migrations.ts';
import type { Log } from './platform/log.ts';
import { WRITER_ADAPTERS as adapters } from './providers/writer-adapters.ts';
import { wireBilling } from './wiring/billing.ts';
import { wireHooks } from './wiring/hooks.ts';
import { wireIdentity } from './wiring/identity.ts';
import { runServices } from './wiring/service.ts';
import { createBase, wireShared } from './wiring/shared.ts';
import { wireSync } from './wiring/sync.ts';
import { wireTemplates } from './wiring/templates.ts';
import { wireVideos } from './wiring/videos.ts';

/** The whole product: the API of every service over one database. */
export type App = Awaited<ReturnType<typeof compose>>;

type AppOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly onQuery?: (statement: string) => void;
};

/** Generating hooks is interactive, and its units stay reserved until it ends. */
const HOOKS_LIMITS = { idleTimeoutMs: 20_000, totalTimeoutMs: GENERATION_TIMEOUT_MS };

/** Opens the database, migrates it and starts every service. `close` stops all of it. */
export async function createApp({ config, log, onQuery }: AppOptions): Promise<App> {
  const options = { url: config.databaseUrl, dataDir: config.dataDir, ...(onQuery && { onQuery }) };
  const database = await openDatabase(options);
  if (config.migrateOnStart) {
    const applied = await migrate(database.sql).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    if (applied.length > 0) log.info({ migrations: applied }, 'database schema brought up to date');
  }
  return compose(database, config, log);
}

/** Starts every service over an open database whose schema is up to date. */
export async function compose(database: Database, config: Config, log: Log) {
  const base = createBase(database, config, log);
  const shared = wireShared(base);
  const { engine, seedAccount, ...templates } = wireTemplates({
    ...base,
    writers: createWriters({ config, adapters }),
  });
  const billing = wireBilling(base);
  const hooks = wireHooks({
    ...base,
    metering: billing.api,
    writers: createWriters({ config, adapters, limits: HOOKS_LIMITS }),
  });
  const sync = wireSync({ ...base, entitlements: billing.api.entitlements });
  const videos = await wireVideos({ ...base, engine });
  const identity = wireIdentity({
    ...base,
    ...billing.api,
    files: [shared.api.files, videos.api.videos],
    seedAccount,
  });
  const services = [identity, templates, hooks, sync, videos, billing, shared];
  const scheduler = await runServices(services, base);
  const accountExport = createAccountExport({
    find: identity.api.accounts.get,
    exporters: services.flatMap(({ exporters }) => exporters),
  });

  return {
    database,
    accountExport,
    ...shared.api,
    ...templates.api,
    ...billing.api,
    ...hooks.api,
    ...sync.api,
    ...videos.api,
    ...identity.api,
    /** Which parts can work now. The queue needs a moment after the start. */
    async ready() {
      const isUp = await database.sql`select 1`.then(
        () => true,
        () => false,
      );
      return { database: isUp, queue: isUp && shared.api.jobs.isReady() };
    },
    async close(): Promise<void> {
      scheduler.stop();
      // Work that is still running needs the engines and the browser.
      await Promise.all(
        services.filter((service) => service !== templates).map((service) => service.close()),
      );
      await templates.close();
      await base.queue.close();
      await database.close();
    },
  };
}

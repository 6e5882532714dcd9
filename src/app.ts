import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.ts';
import { GENERATION_TIMEOUT_MS } from './hooks/writing/writing.ts';
import { createAccountExport } from './identity/accounts/account-export.ts';
import type { Caller } from './identity/caller.ts';
import { requireS3Sdk } from './platform/blobs/s3-blobs.ts';
import type { Database } from './platform/database/database.ts';
import { openDatabaseClock } from './platform/database/database-clock.ts';
import type { Log } from './platform/log.ts';
import { removeStaleFolders } from './platform/process-folder.ts';
import { tracedDatabase } from './platform/tracing/traced-database.ts';
import { NO_TRACING, type Tracing } from './platform/tracing/tracing.ts';
import { wireAi } from './wiring/ai.ts';
import { wireAssets } from './wiring/assets.ts';
import { wireBilling } from './wiring/billing.ts';
import { wireBlog } from './wiring/blog.ts';
import { wireBrand } from './wiring/brand.ts';
import { openMigrated } from './wiring/database.ts';
import { wireHooks } from './wiring/hooks.ts';
import { wireIdentity } from './wiring/identity.ts';
import { createMetricsText } from './wiring/metrics.ts';
import { wireOperator } from './wiring/operator.ts';
import { wireRetention } from './wiring/retention.ts';
import { runServices } from './wiring/service.ts';
import { createBase, wireShared } from './wiring/shared.ts';
import { wireSync } from './wiring/sync.ts';
import { wireTemplates } from './wiring/templates.ts';
import { wireVideos } from './wiring/videos.ts';
import { wireWebhooks } from './wiring/webhooks.ts';

/** The whole product: the API of every service over one database. */
export type App = Awaited<ReturnType<typeof compose>>;

type AppOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly onQuery?: (statement: string) => void;
  /** Closed by the caller, after the app. Default: no traces. */
  readonly tracing?: Tracing;
};

/** Generating hooks is interactive, and its units stay reserved until it ends. */
const HOOKS_LIMITS = { idleTimeoutMs: 20_000, totalTimeoutMs: GENERATION_TIMEOUT_MS };

/** A balancer asks often, and needs an answer before it gives up. */
const READY_MS = 900;

/** Opens the database, migrates it and starts every service. `close` stops all of it. @throws Fault unavailable.s3_package */
export async function createApp({ config, log, onQuery, tracing = NO_TRACING }: AppOptions): Promise<App> {
  if (config.s3) requireS3Sdk();
  await removeStaleFolders().catch((err: unknown) =>
    log.warn({ err }, 'temporary files of ended processes remain'),
  );
  const database = await openMigrated(config, log, onQuery);
  return compose(database, config, log, tracing);
}

/** Starts every service over an open database whose schema is up to date. */
export async function compose(opened: Database, config: Config, log: Log, tracing = NO_TRACING) {
  const database = tracedDatabase(opened, tracing);
  const clock = await openDatabaseClock({ database, log });
  const base = createBase({ database, config, log, tracing, now: clock.now });
  const shared = wireShared(base);
  const { openWriters, ...ai } = wireAi(base);
  const billing = wireBilling(base);
  // Identity removes files of assets, and upload links ask whether their creator still may: only this closure connects them.
  const renewCaller = (caller: Caller) => identity.api.credentials.renew(caller);
  const assets = wireAssets({ ...base, entitlements: billing.api.entitlements, renewCaller });
  const brand = wireBrand({ ...base, assets, entitlements: billing.api.entitlements });
  const { engine, partialsForVideos, seedAccount, ...templates } = wireTemplates({
    ...base,
    assets,
    brand,
    quota: billing.api.quota,
    writers: openWriters(),
  });
  const hooks = wireHooks({ ...base, brand, metering: billing.api, writers: openWriters(HOOKS_LIMITS) });
  const sync = wireSync({
    ...base,
    entitlements: billing.api.entitlements,
    addressesOf: assets.api.assets.addressesOf,
    demoPictureAddress: assets.demoPictureAddress,
  });
  const videos = await wireVideos({ ...base, engine, partials: partialsForVideos, assets, brand });
  const webhooks = wireWebhooks(base);
  const blog = wireBlog(base);
  const identity = wireIdentity({
    ...base,
    ...billing.api,
    consents: sync.api.sync.grants,
    files: [shared.api.files, videos.api.videos, assets.api.assets],
    stopWork: [shared.api.jobs.cancelAll, sync.api.sync.runs.cancelAll, videos.api.videos.cancelAll],
    seedAccount,
  });
  const products = [identity, assets, brand, templates, hooks, sync, videos, billing, webhooks, ai, shared];
  const retention = wireRetention({
    ...base,
    entitlements: billing.api.entitlements,
    retained: products.flatMap(({ retained }) => retained),
  });
  const services = [...products, retention];
  const metricsText = createMetricsText({ ...base, browser: templates.api.browser });
  const scheduler = await runServices(services, base);
  const accountExport = createAccountExport({
    find: identity.api.accounts.get,
    exporters: services.flatMap(({ exporters }) => exporters),
  });

  return {
    database,
    metrics: base.metrics,
    tracing,
    metricsText: metricsText.text,
    accountExport,
    ...shared.api,
    ...assets.api,
    ...brand.api,
    importBrand: brand.importer(templates.api.browser),
    ...templates.api,
    ...billing.api,
    ...hooks.api,
    ...sync.api,
    ...videos.api,
    ...webhooks.api,
    ...blog.api,
    ...retention.api,
    ...identity.api,
    operator: wireOperator({
      ...base,
      ...identity.api,
      ...shared.api,
      planGrants: billing.api.planGrants,
      videos: videos.api.videos,
      runs: sync.api.sync.runs,
      configs: sync.api.sync.configs,
    }),
    /** Which parts can work now. The queue needs a moment after the start. */
    async ready() {
      const isUp = await Promise.race([
        database.sql`select 1`.then(
          () => true,
          () => false,
        ),
        delay(READY_MS, false, { ref: false }),
      ]);
      return {
        database: isUp,
        queue: isUp && shared.api.jobs.isReady(),
        files: shared.api.nodes.sharesFiles(),
      };
    },
    async close(): Promise<void> {
      scheduler.stop();
      metricsText.close();
      clock.close();
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

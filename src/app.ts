import { join } from 'node:path';
import { createPrompts } from './ai/prompts.ts';
import { createWriters } from './ai/writers.ts';
import { type Audit, createAudit } from './audit/audit.ts';
import type { Billing } from './billing/billing.ts';
import type { Entitlements } from './billing/entitlements.ts';
import type { Config } from './config.ts';
import { createFiles, type Files } from './files/files.ts';
import type { BrandVoices } from './hooks/brand-voices.ts';
import { WHOLE_MS } from './hooks/generating.ts';
import type { Hooks } from './hooks/hooks.ts';
import { createIdempotency, type Idempotency } from './idempotency/idempotency.ts';
import type { AccountDeletion } from './identity/account-deletion.ts';
import {
  type AccountExport,
  createAccountExport,
  exportList,
  exportPages,
} from './identity/account-export.ts';
import type { AccountKeys } from './identity/account-keys.ts';
import type { Accounts } from './identity/accounts.ts';
import type { Credentials } from './identity/credentials.ts';
import type { Keys } from './identity/keys.ts';
import type { Members } from './identity/members.ts';
import type { Profiles } from './identity/profile.ts';
import type { Sessions } from './identity/sessions.ts';
import type { SignIn } from './identity/sign-in.ts';
import type { AnonymousCallers } from './identity/anonymous-callers.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createFolderBlobs } from './platform/blobs/folder-blobs.ts';
import type { Browser } from './platform/browser/browser.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { migrate } from './platform/database/migrations.ts';
import type { Log } from './platform/log.ts';
import { startScheduler } from './platform/scheduler.ts';
import { createAnthropicWriter } from './providers/anthropic.ts';
import { createOpenaiWriter } from './providers/openai.ts';
import type { Quota, VisitorQuota } from './quota/quota.ts';
import { createRateLimits, type RateLimits } from './rate-limits/rate-limits.ts';
import type { Templates } from './templates/templates.ts';
import { composeHooks } from './wiring/hooks.ts';
import { composeIdentity } from './wiring/identity.ts';
import { composeSync, type Sync } from './wiring/sync.ts';
import { composeTemplates } from './wiring/templates.ts';
import { composeVideos, type VideoProduct } from './wiring/videos.ts';

/** The composed product. */
export type App = {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly accountKeys: AccountKeys;
  readonly credentials: Credentials;
  readonly visitors: AnonymousCallers;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly profiles: Profiles;
  readonly members: Members;
  readonly accountDeletion: AccountDeletion;
  readonly accountExport: AccountExport;
  readonly entitlements: Entitlements;
  readonly billing: Billing;
  readonly quota: Quota;
  readonly visitorQuota: VisitorQuota;
  readonly hooks: Hooks;
  readonly brandVoices: BrandVoices;
  readonly sync: Sync;
  readonly idempotency: Idempotency;
  readonly rateLimits: RateLimits;
  readonly audit: Audit;
  readonly files: Files;
  readonly browser: Browser;
  readonly templates: Templates;
  readonly jobs: Jobs;
  readonly videos: VideoProduct;
  /** What of the product can do its work now. The queue needs a moment after the start. */
  ready(): Promise<{ readonly database: boolean; readonly queue: boolean }>;
  close(): Promise<void>;
};

type AppOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly onQuery?: (statement: string) => void;
};

/** Somebody waits for hooks, and their units are held meanwhile. */
const HOOKS_LIMITS = { silenceMs: 20_000, wholeMs: WHOLE_MS };

/** Opens the database and puts the parts together; what it opened, `close` closes. */
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

/** Puts the parts together over an open database whose schema is up to date. */
export async function compose(database: Database, config: Config, log: Log): Promise<App> {
  const { sql } = database;
  const audit = createAudit(sql);
  const blobs = createFolderBlobs(config.blobsDir ?? join(config.dataDir, 'files'));
  const files = createFiles({ sql, blobs });
  const prompts = createPrompts(join(import.meta.dirname, '../prompts'));
  const factories = { openai: createOpenaiWriter, anthropic: createAnthropicWriter };
  const ground = { sql, config, log, audit, prompts };
  const { templates, plans, engine, browser, purge, furnish, ...rendering } = composeTemplates({
    ...ground,
    writers: createWriters({ config, factories }),
  });
  const { hooks, brandVoices, quota, visitorQuota, entitlements, billing } = composeHooks({
    ...ground,
    writers: createWriters({ config, factories, limits: HOOKS_LIMITS }),
  });
  const sync = composeSync({ database, config, log, entitlements });
  const videos = await composeVideos({ database, config, log, blobs, engine });
  const { people, forgetPeople, ...identity } = composeIdentity({
    ...ground,
    files: [files, videos],
    furnish,
    entitlements,
    billing,
  });
  const { accounts, accountKeys, keys, members } = identity;
  const accountExport = createAccountExport({
    find: accounts.get,
    exporters: [
      exportList('members', members.list),
      exportPages('api_keys', accountKeys.list),
      exportPages('templates', templates.catalogue.list),
      { name: 'generations', read: hooks.history.all },
      exportList('brand_voices', brandVoices.list),
      exportPages('sync_stores', sync.stores.list),
      exportPages('sync_sheets', sync.sheets.list),
      exportPages('sync_configs', sync.configs.list),
      exportPages('videos', videos.list),
      exportList('video_templates', videos.templates.saved),
      { name: 'quota_ledger', read: quota.entries },
      exportPages('audit', audit.list),
    ],
  });
  const idempotency = createIdempotency(sql);
  const rateLimits = createRateLimits({ sql, rates: config.rateLimits });
  const jobs = createJobs({ database, log });
  await sql.listen('templates', plans.forget, plans.forgetAll);
  await sql.listen('api_keys', keys.forget, keys.forget);
  await sql.listen('sessions', forgetPeople, forgetPeople);
  await sql.listen('entitlements', entitlements.forget, () => entitlements.forget());
  await sql.listen('deleted_hooks', hooks.forget, () => hooks.forget());
  await sql.listen('price_catalogue', billing.forgetPrices, billing.forgetPrices);
  await sql.listen('stripe_events', billing.work, billing.work);
  await sql.listen('sync_runs', sync.runs.onNotify, sync.runs.onReconnect);
  await sql.listen('sync_due', sync.heardDue);
  await sql.listen('jobs', jobs.onNotify, jobs.onReconnect);
  await sql.listen('videos', videos.onNotify, videos.onReconnect);
  const sweeps = startScheduler({
    log,
    hourly: {
      rateLimits: rateLimits.sweep,
      idempotency: idempotency.sweep,
      jobs: jobs.sweep,
      files: files.sweep,
      templates: purge,
      people: people.sweep,
      billing: billing.reconcile,
      sync: sync.sweep,
      videos: videos.sweep,
    },
    frequent: {
      quota: quota.sweep,
      visitors: visitorQuota.sweep,
      payments: billing.work,
      sync: sync.work,
      videos: videos.work,
    },
  });

  return {
    ...identity,
    signIn: people.signIn,
    database,
    accountExport,
    entitlements,
    billing,
    quota,
    visitorQuota,
    hooks,
    brandVoices,
    sync,
    idempotency,
    rateLimits,
    audit,
    files,
    browser,
    templates,
    jobs,
    videos,
    async ready() {
      const database = await sql`select 1`.then(
        () => true,
        () => false,
      );
      return { database, queue: database && jobs.isReady() };
    },
    async close() {
      sweeps.stop();
      await Promise.all([jobs.close(), sync.close(), videos.close()]);
      await rendering.close();
      await database.close();
    },
  };
}

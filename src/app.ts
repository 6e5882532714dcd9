import { type Audit, createAudit } from './audit/audit.ts';
import type { Config } from './config.ts';
import { createIdempotency, type Idempotency } from './idempotency/idempotency.ts';
import { type Accounts, createAccounts } from './identity/accounts.ts';
import { createKeys, type Keys } from './identity/keys.ts';
import { type Database, openDatabase } from './platform/database.ts';
import type { Log } from './platform/log.ts';
import { migrate } from './platform/migrations.ts';
import { createComposer } from './templates/compose.ts';
import type { TemplateContext } from './templates/context.ts';
import { createEngine } from './templates/engine/engine.ts';
import { createEnvironmentStore } from './templates/environments/store.ts';
import { furnishTemplates } from './templates/furnish.ts';
import { createPlans } from './templates/plans.ts';
import { createRendering } from './templates/rendering.ts';
import { createTemplates, type Templates } from './templates/templates.ts';

/** The composed product. */
export type App = {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly idempotency: Idempotency;
  readonly audit: Audit;
  readonly templates: Templates;
  /** True when the database answers. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
};

type AppOptions = {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir' | 'migrateOnStart'>;
  readonly log: Log;
  readonly onQuery?: (statement: string) => void;
};

const SWEEP_MS = 60 * 60 * 1000;

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
  return compose(database, log);
}

/** Puts the parts together over an open database whose schema is up to date. */
export async function compose(database: Database, log: Log): Promise<App> {
  const { sql } = database;
  const engine = createEngine();
  const composer = createComposer({ sql, engine });
  const plans = createPlans({ sql, engine, composer });
  const rendering = createRendering({ sql, engine, plans });
  const audit = createAudit(sql);
  const context: TemplateContext = { sql, engine, composer, plans, rendering, audit };
  const templates = createTemplates(context);
  const keys = createKeys({ sql });
  const idempotency = createIdempotency(sql);
  const accounts = createAccounts({
    sql,
    furnish: async (accountId) => {
      await createEnvironmentStore(sql).createDefaults(accountId);
      await furnishTemplates(templates.catalogue, accountId);
    },
  });
  await sql.listen('templates', plans.forget, plans.forgetAll);
  await sql.listen('api_keys', keys.forget, keys.forget);
  const sweep = setInterval(() => {
    idempotency
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'idempotency keys were not swept'));
  }, SWEEP_MS).unref();

  return {
    database,
    accounts,
    keys,
    idempotency,
    audit,
    templates,
    async ready() {
      return sql`select 1`.then(
        () => true,
        () => false,
      );
    },
    async close() {
      clearInterval(sweep);
      await engine.close();
      await database.close();
    },
  };
}

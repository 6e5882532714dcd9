import type { Writers } from '../ai/ai.ts';
import type { Prompts } from '../ai/prompts.ts';
import type { Audit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import { createBrowser } from '../platform/browser/browser.ts';
import type { Sql } from '../platform/database/database.ts';
import { createGuardedFetch } from '../platform/guarded-fetch/guarded-fetch.ts';
import type { Log } from '../platform/log.ts';
import { createAssets } from '../templates/assets/assets.ts';
import type { TemplateContext } from '../templates/context.ts';
import { createEngine } from '../templates/engine/engine.ts';
import { createExaminer } from '../templates/examiner/examiner.ts';
import { createFinisher } from '../templates/finish/finisher.ts';
import { createRendering } from '../templates/rendering/rendering.ts';
import { insertDefaultEnvironments } from '../templates/repository/environment-repo.ts';
import { purgeTemplates } from '../templates/repository/template-repo.ts';
import { createComposer } from '../templates/resolve/compose.ts';
import { createResolver } from '../templates/resolve/resolve.ts';
import { seedStarterTemplates } from '../templates/starters/starters.ts';
import { createTemplates } from '../templates/templates.ts';
import { createScreenshotComparer } from '../templates/visual-diff/visual-diff.ts';

type Parts = {
  readonly sql: Sql;
  readonly config: Config;
  readonly log: Log;
  readonly audit: Audit;
  readonly prompts: Prompts;
  readonly writers: Writers;
};

/** The template service, with the browser and the threads it works in; `close` ends those. */
export function composeTemplates({ sql, config, log, ...parts }: Parts) {
  const engine = createEngine();
  const finisher = createFinisher();
  const examiner = createExaminer();
  const composer = createComposer({ sql, engine, finisher });
  const resolver = createResolver({ sql, engine, composer });
  const rendering = createRendering({ sql, engine, resolver, finisher });
  const browser = createBrowser({ executablePath: config.browserPath, pages: config.browserPages, log });
  const { fetchAsset } = createGuardedFetch({ hosts: config.assetHosts });
  const assets = createAssets({ fetchAsset, examiner, log });
  const screenshots = createScreenshotComparer();
  const work = { engine, composer, resolver, rendering, finisher, examiner, assets, browser, screenshots };
  const context: TemplateContext = { ...parts, sql, ...work };
  const templates = createTemplates(context);
  return {
    templates,
    resolver,
    engine,
    browser,
    purge: () => purgeTemplates(sql),
    async furnish(accountId: string): Promise<void> {
      await insertDefaultEnvironments(sql, accountId);
      await seedStarterTemplates(templates.catalog, accountId);
    },
    async close(): Promise<void> {
      await Promise.all([engine, finisher, examiner, screenshots, browser].map((part) => part.close()));
    },
  };
}

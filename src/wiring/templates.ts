import type { Prompts } from '../ai/prompts.ts';
import type { Writers } from '../ai/writer.ts';
import type { Audit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import { createBrowser } from '../platform/browser/browser.ts';
import type { Sql } from '../platform/database/database.ts';
import { createGuardedFetch } from '../platform/guarded-fetch/guarded-fetch.ts';
import type { Log } from '../platform/log.ts';
import { createAssets } from '../templates/assets/assets.ts';
import { createComposer } from '../templates/compose.ts';
import type { TemplateContext } from '../templates/context.ts';
import { createEngine } from '../templates/engine/engine.ts';
import { createEnvironmentStore } from '../templates/environments/store.ts';
import { createExaminer } from '../templates/examiner/examiner.ts';
import { createFinisher } from '../templates/finish/finisher.ts';
import { furnishTemplates } from '../templates/furnish.ts';
import { createPlans } from '../templates/plans.ts';
import { createPurge } from '../templates/purge/purge.ts';
import { createRendering } from '../templates/rendering.ts';
import { createTemplates } from '../templates/templates.ts';
import { createPictureThread } from '../templates/visual-diff/picture-thread.ts';

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
  const plans = createPlans({ sql, engine, composer });
  const rendering = createRendering({ sql, engine, plans, finisher });
  const browser = createBrowser({ executablePath: config.browserPath, pages: config.browserPages, log });
  const { fetchAsset } = createGuardedFetch({ hosts: config.assetHosts });
  const assets = createAssets({ fetchAsset, examiner, log });
  const pictures = createPictureThread();
  const work = { engine, composer, plans, rendering, finisher, examiner, assets, browser, pictures };
  const context: TemplateContext = { ...parts, sql, ...work };
  const templates = createTemplates(context);
  return {
    templates,
    plans,
    engine,
    browser,
    purge: createPurge(sql),
    async furnish(accountId: string): Promise<void> {
      await createEnvironmentStore(sql).createDefaults(accountId);
      await furnishTemplates(templates.catalogue, accountId);
    },
    async close(): Promise<void> {
      await Promise.all([engine, finisher, examiner, pictures, browser].map((part) => part.close()));
    },
  };
}

import type { Writers } from '../ai/writer.ts';
import { exportPages } from '../identity/account-export.ts';
import { createBrowser } from '../platform/browser/browser.ts';
import { createGuardedFetch } from '../platform/guarded-fetch/guarded-fetch.ts';
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
import { type Base, defineService } from './service.ts';

type TemplatesDeps = Base & { readonly writers: Writers };

/** The template service, with the browser and the threads that it works in. */
export function wireTemplates({ sql, config, log, audit, prompts, writers }: TemplatesDeps) {
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
  const context: TemplateContext = { audit, prompts, writers, sql, ...work };
  const templates = createTemplates(context);
  const service = defineService({
    api: { templates, browser },
    listeners: [{ channel: 'templates', onNotify: plans.forget, onReconnect: plans.forgetAll }],
    jobs: { hourly: { templates: createPurge(sql) } },
    exporters: [exportPages('templates', templates.catalogue.list)],
    async close(): Promise<void> {
      await Promise.all([engine, finisher, examiner, pictures, browser].map((part) => part.close()));
    },
  });
  return {
    ...service,
    engine,
    /** Environments and starter templates of a new account. Safe to repeat. */
    async seedStarterTemplates(accountId: string): Promise<void> {
      await createEnvironmentStore(sql).createDefaults(accountId);
      await furnishTemplates(templates.catalogue, accountId);
    },
  };
}

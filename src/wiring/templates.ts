import type { Writers } from '../ai/ai.ts';
import { exportPages } from '../identity/accounts/account-export.ts';
import { createBrowser } from '../platform/browser/browser.ts';
import { createGuardedFetch } from '../platform/guarded-fetch/guarded-fetch.ts';
import { createAssets } from '../templates/assets/assets.ts';
import type { TemplateContext } from '../templates/context.ts';
import { createEngine } from '../templates/engine/engine.ts';
import { createExaminer } from '../templates/examiner/examiner.ts';
import { createFinisher } from '../templates/finish/finish.ts';
import type { UnitQuota } from '../templates/generation/metering.ts';
import { createRendering } from '../templates/rendering/rendering.ts';
import { insertDefaultEnvironments } from '../templates/repository/environment-repo.ts';
import { purgeTemplates } from '../templates/repository/template-repo.ts';
import { createComposer } from '../templates/resolve/compose.ts';
import { createPagePartials } from '../templates/resolve/page-partials.ts';
import { createResolver } from '../templates/resolve/resolve.ts';
import { seedStarterTemplates } from '../templates/starters/starters.ts';
import { createTemplates } from '../templates/templates.ts';
import { createScreenshotComparer } from '../templates/visual-diff/visual-diff.ts';
import { findPartialUses } from '../videos/templates/partial-use-repo.ts';
import type { wireAssets } from './assets.ts';
import type { wireBrand } from './brand.ts';
import { meteredBrowser, meteredRendering } from './metered.ts';
import { type Base, defineService } from './service.ts';
import { tracedBrowser } from './traced.ts';

type TemplatesDeps = Base & {
  readonly writers: Writers;
  readonly quota: UnitQuota;
  readonly assets: ReturnType<typeof wireAssets>;
  readonly brand: ReturnType<typeof wireBrand>;
};

/** The template service, with the browser and the threads that it works in. */
export function wireTemplates(deps: TemplatesDeps) {
  const { sql, config, log, audit, prompts, writers, quota, assets: library, brand, metrics, tracing } = deps;
  const engine = createEngine({ timeLimitFactor: config.timeLimitFactor });
  const finisher = createFinisher();
  const examiner = createExaminer();
  const composer = createComposer({ sql, engine, finisher });
  const resolver = createResolver({ sql, engine, composer, brands: brand.forTemplates });
  // The notification reaches this node too, but only after the response.
  brand.api.brands.watch(resolver.forget);
  const rendering = meteredRendering(
    createRendering({
      ...{ sql, engine, resolver, finisher },
      assetAddresses: library.api.assets.addressesOf,
    }),
    metrics,
  );
  const untraced = createBrowser({
    executablePath: config.browserPath,
    pages: config.browserPages,
    timeLimitFactor: config.timeLimitFactor,
    log,
  });
  const browser = meteredBrowser(tracedBrowser(untraced, tracing), metrics);
  const { fetchAsset } = createGuardedFetch({ hosts: config.assetHosts });
  const assets = createAssets({ fetchAsset: library.withOwn(fetchAsset), examiner, log });
  const screenshots = createScreenshotComparer();
  const work = { engine, composer, resolver, rendering, finisher, examiner, assets, browser, screenshots };
  const context: TemplateContext = {
    ...{ audit, prompts, writers, quota, sql, ...work },
    library: library.forTemplates,
    brandForModels: brand.forModels,
    videosWith: findPartialUses,
  };
  const templates = createTemplates(context);
  const service = defineService({
    api: { templates, browser },
    listeners: ['templates', 'brands'].map((channel) => ({
      channel,
      onNotify: resolver.forget,
      onReconnect: resolver.forgetAll,
    })),
    jobs: { hourly: { templates: () => purgeTemplates(sql) } },
    exporters: [exportPages('templates', templates.catalog.list)],
    async close(): Promise<void> {
      await Promise.all([engine, finisher, examiner, screenshots, browser].map((part) => part.close()));
    },
  });
  return {
    ...service,
    engine,
    partialsForVideos: createPagePartials({ composer, engine, brands: brand.forTemplates }),
    /** Environments and starter templates of a new account. Safe to repeat. */
    async seedAccount(accountId: string): Promise<void> {
      await insertDefaultEnvironments(sql, accountId);
      await seedStarterTemplates(templates.catalog, accountId);
    },
  };
}

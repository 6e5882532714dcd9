import { availableParallelism } from 'node:os';
import type { Config } from '../config.ts';
import { exportList, exportPages } from '../identity/accounts/account-export.ts';
import type { Log } from '../platform/log.ts';
import { onceAsync } from '../platform/once-async.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import type { Engine } from '../templates/engine/engine.ts';
import { createVideoFetch } from '../videos/composition/asset-fetch.ts';
import { createCompositionBuilder } from '../videos/composition/build-composition.ts';
import { createClipReader } from '../videos/composition/clip-reader.ts';
import { contentHash } from '../videos/composition/composition.ts';
import { createFill } from '../videos/composition/fill.ts';
import type { FindPartials } from '../videos/composition/page-partials.ts';
import { createPageReader } from '../videos/composition/page-reader.ts';
import { createClipPreparer } from '../videos/composition/prepare-clip.ts';
import { createStoredCompositions } from '../videos/composition/stored-composition.ts';
import { fontFaces } from '../videos/engine-files.ts';
import { createPreview } from '../videos/preview.ts';
import { readBuiltIns } from '../videos/templates/built-ins.ts';
import { createTemplateCheck } from '../videos/templates/check-template.ts';
import { createVideoTemplates } from '../videos/templates/templates.ts';
import { createVideoLinks } from '../videos/video-files.ts';
import { createVideoService } from '../videos/video-service.ts';
import type { wireAssets } from './assets.ts';
import type { wireBrand } from './brand.ts';
import { type Base, defineService } from './service.ts';
import { tracedSessions } from './traced.ts';
import type { VideoEngine } from './video-engine.ts';

type VideosDeps = Base & {
  readonly engine: Engine;
  readonly partials: FindPartials;
  readonly assets: ReturnType<typeof wireAssets>;
  readonly brand: ReturnType<typeof wireBrand>;
};

/** Renders videos from templates and reports their progress. */
export async function wireVideos(deps: VideosDeps) {
  const { sql, queue, config, log, metrics, tracing, now, blobs, engine, partials, assets, brand } = deps;
  const secret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  const builtIns = await readBuiltIns();
  const reader = createPageReader();
  const clipReader = createClipReader();
  const { stages, assemble, encoders, convertClip } = lazyEngine(config, log);
  const { timeLimitFactor } = config;
  const fill = createFill({ engine, reader, partials, fontFaces: fontFaces(), timeLimitFactor });
  const { fetchAsset } = createVideoFetch({ hosts: config.assetHosts });
  const gather = createCompositionBuilder({
    ...{ reader, files: builtIns.files },
    prepareClip: createClipPreparer({ reader: clipReader, convert: convertClip }),
    fetchAsset: assets.withOwn(fetchAsset),
    readReferenced: assets.readReferenced,
  });
  const templates = createVideoTemplates({ sql, builtIns, check: createTemplateCheck({ fill, reader }) });
  const service = createVideoService({
    ...{ sql, queue, blobs, assemble, log, metrics, tracing, now },
    stages: tracedSessions(stages, tracing),
    async fill(accountId, request) {
      const template = await templates.choose(accountId, request.template);
      const shown = await brand.forVideos(accountId, request.brand);
      const filled = await fill(template, request, { accountId }, shown);
      return { ...filled, templateVersion: template.version };
    },
    encoders,
    compositions: { ...createStoredCompositions(blobs), gather, hash: contentHash },
    workers: config.videoWorkers ?? Math.max(1, Math.floor(availableParallelism() / 2)),
  });

  const videos = {
    ...service,
    templates,
    links: createVideoLinks({ sql, secret }),
    preview: createPreview({
      find: templates.get,
      fill: async (accountId, template, request) =>
        fill(template, request, { accountId }, await brand.forVideos(accountId, request.brand)),
      hasBrand: async (accountId) => (await brand.forVideos(accountId)) !== undefined,
      gather,
    }),
  };
  return defineService({
    api: { videos },
    listeners: [{ channel: 'videos', onNotify: service.onNotify, onReconnect: service.onReconnect }],
    jobs: { hourly: { videos: service.sweep } },
    retained: [{ kind: 'videos', rows: service }],
    exporters: [exportPages('videos', service.list), exportList('video_templates', templates.saved)],
    async close(): Promise<void> {
      await service.close();
      await reader.close();
      await clipReader.close();
    },
  });
}

/** Loads the video engine with the first video, so a server that renders none starts without it. */
function lazyEngine(config: Config, log: Log): VideoEngine {
  const engine = onceAsync(async () => {
    const { openVideoEngine } = await import('./video-engine.ts');
    return openVideoEngine(config, log);
  });
  return {
    stages: {
      open: async (...args) => (await engine()).stages.open(...args),
      fingerprint: async () => (await engine()).stages.fingerprint(),
    },
    assemble: async (work) => (await engine()).assemble(work),
    encoders: async () => (await engine()).encoders(),
    convertClip: async (...args) => (await engine()).convertClip(...args),
  };
}

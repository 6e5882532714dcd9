import { availableParallelism } from 'node:os';
import type { Config } from '../config.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { onceAsync } from '../platform/once-async.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import type { Engine } from '../templates/engine/engine.ts';
import { contentHash } from '../videos/composition/content-hash.ts';
import { createFill } from '../videos/composition/fill.ts';
import { createGather } from '../videos/composition/gather.ts';
import { createPageReader } from '../videos/composition/page-reader.ts';
import { createStoredCompositions } from '../videos/composition/stored-composition.ts';
import { createVideoFetch } from '../videos/composition/video-fetch.ts';
import { fontFaces } from '../videos/fonts/shipped-fonts.ts';
import { createVideoLinks } from '../videos/links.ts';
import { createPreview } from '../videos/preview.ts';
import { readBuiltIns } from '../videos/templates/built-ins.ts';
import { createVideoTemplates } from '../videos/templates/catalogue.ts';
import { createTemplateCheck } from '../videos/templates/check-template.ts';
import { createVideoService } from '../videos/video-service.ts';
import { createGuardedPost } from '../videos/webhooks/guarded-post.ts';
import type { VideoEngine } from './video-engine.ts';

type Parts = {
  readonly database: Database;
  readonly config: Config;
  readonly log: Log;
  readonly blobs: Blobs;
  readonly engine: Engine;
};

export type VideoProduct = Awaited<ReturnType<typeof composeVideos>>;

/** Videos out of templates: their templates, their making and what is told of them. */
export async function composeVideos({ database, config, log, blobs, engine }: Parts) {
  const { sql } = database;
  const secret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  const builtIns = await readBuiltIns();
  const reader = createPageReader();
  const fill = createFill({ engine, reader, fontFaces: fontFaces() });
  const { fetchAsset } = createVideoFetch({ hosts: config.assetHosts });
  const gather = createGather({ fetchAsset, reader, files: builtIns.files });
  const templates = createVideoTemplates({ sql, builtIns, check: createTemplateCheck({ fill, reader }) });
  const { stages, assemble } = lazyEngine(config, log);
  const service = createVideoService({
    ...{ database, blobs, secret, stages, assemble, log },
    fill: async (accountId, request) =>
      fill(await templates.choose(accountId, request.template), request, { accountId }),
    compositions: { ...createStoredCompositions(blobs), gather, hash: contentHash },
    post: createGuardedPost(),
    workers: config.videoWorkers ?? Math.max(1, Math.floor(availableParallelism() / 2)),
  });

  return {
    ...service,
    templates,
    links: createVideoLinks({ sql, secret }),
    preview: createPreview({
      find: templates.get,
      fill: (accountId, template, request) => fill(template, request, { accountId }),
      gather,
    }),
    async close(): Promise<void> {
      await service.close();
      await reader.close();
    },
  };
}

/** What paints and encodes is loaded with the first video: a server that makes none starts without it. */
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
  };
}

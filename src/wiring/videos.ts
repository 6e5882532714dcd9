import { availableParallelism } from 'node:os';
import type { Config } from '../config.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import { createGuardedPost } from '../platform/guarded-fetch/guarded-post.ts';
import type { Log } from '../platform/log.ts';
import { onceAsync } from '../platform/once-async.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import type { Engine } from '../templates/engine/engine.ts';
import { createVideoFetch } from '../videos/composition/asset-fetch.ts';
import { createCompositionBuilder } from '../videos/composition/build-composition.ts';
import { contentHash } from '../videos/composition/composition.ts';
import { createFill } from '../videos/composition/fill.ts';
import { createPageReader } from '../videos/composition/page-reader.ts';
import { createStoredCompositions } from '../videos/composition/stored-composition.ts';
import { fontFaces } from '../videos/engine-files.ts';
import { createPreview } from '../videos/preview.ts';
import { readBuiltIns } from '../videos/templates/built-ins.ts';
import { createTemplateCheck } from '../videos/templates/check-template.ts';
import { createVideoTemplates } from '../videos/templates/templates.ts';
import { createVideoLinks } from '../videos/video-files.ts';
import { createVideoService } from '../videos/video-service.ts';
import type { VideoEngine } from './video-engine.ts';

type Parts = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly config: Config;
  readonly log: Log;
  readonly blobs: Blobs;
  readonly engine: Engine;
};

export type VideoProduct = Awaited<ReturnType<typeof composeVideos>>;

/** Videos out of templates: their templates, their making and what is told of them. */
export async function composeVideos({ sql, queue, config, log, blobs, engine }: Parts) {
  const secret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  const builtIns = await readBuiltIns();
  const reader = createPageReader();
  const fill = createFill({ engine, reader, fontFaces: fontFaces() });
  const { fetchAsset } = createVideoFetch({ hosts: config.assetHosts });
  const gather = createCompositionBuilder({ fetchAsset, reader, files: builtIns.files });
  const templates = createVideoTemplates({ sql, builtIns, check: createTemplateCheck({ fill, reader }) });
  const { stages, assemble } = lazyEngine(config, log);
  const service = createVideoService({
    ...{ sql, queue, blobs, secret, stages, assemble, log },
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

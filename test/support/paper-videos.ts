import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import { openNode } from '../videos/render/workshop.ts';
import { createPaperStages } from './paper-stages.ts';

/**
 * The product, whose videos are made by a browser of paper: real files, in no time. A video called Broken fails for its
 * many nodes. `stop` ends their making.
 */
export async function withPaperVideos(app: App): Promise<{ app: App; stop(): Promise<void> }> {
  const stages = createPaperStages({
    async paint(_request, { html }) {
      if (html.includes('Broken')) throw new Fault('video_failed.nodes', { count: 20_001, limit: 20_000 });
    },
  });
  const { videos, stop } = await openNode(app.database, { stages });
  return { app: { ...app, videos: { ...app.videos, ...videos } }, stop };
}

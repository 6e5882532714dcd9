import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import { openNode } from '../videos/render/workshop.ts';
import { createFakeRenderer } from './fake-renderer.ts';

/**
 * The product with a fake renderer: real files, made quickly. A video titled Broken fails for too many nodes.
 * `stop` ends the workers.
 */
export async function withFakeVideos(app: App): Promise<{ app: App; stop(): Promise<void> }> {
  const stages = createFakeRenderer({
    async paint(_request, { html }) {
      if (html.includes('Broken')) throw new Fault('video_failed.nodes', { count: 20_001, limit: 20_000 });
    },
  });
  const { videos, stop } = await openNode(app.database, { stages });
  return { app: { ...app, videos: { ...app.videos, ...videos } }, stop };
}

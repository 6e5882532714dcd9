import { z } from 'zod';
import { VideoStatus } from '../../src/videos/video.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { givenVideo } from './example-video.ts';
import { KnownTemplate } from './input.ts';
import { presentVideo, readerOf, VideoAnswer } from './video-output.ts';

export const listVideos = defineTool({
  name: 'list_videos',
  title: 'List videos',
  description: 'List videos, newest first, with status and progress. Filter with status or template.',
  keywords: {
    en: [
      'my videos',
      'all clips I made',
      'which videos are rendering',
      'videos of this month',
      'clips made earlier',
    ],
    es: [
      'mis videos',
      'lista de videos',
      'todos los videos que hice',
      'videos de este mes',
      'videos anteriores',
    ],
  },
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /videos', list: true },
  input: z.object({ status: VideoStatus.optional(), template: KnownTemplate.optional(), ...paging }),
  output: page(VideoAnswer),
  run: async (filter, call) => {
    const { items, ...more } = await call.app.videos.list(call.caller.accountId, filter);
    return { items: await Promise.all(items.map((video) => presentVideo(video, readerOf(call)))), ...more };
  },
  examples: [{ title: 'Pending videos', given: givenVideo, input: { status: 'pending' } }],
});

import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool, type SayCall } from '../contract/define.ts';
import { awaitVideo } from './await-video.ts';
import { givenVideo, thatVideo } from './example-video.ts';
import { VideoId } from './input.ts';
import { presentVideo, readerOf, UNFINISHED, VideoAnswer } from './video-output.ts';

export const getVideo = defineTool({
  name: 'get_video',
  title: 'Get a video',
  description:
    "Get a video's status, progress and, once completed, file URL, or why it failed. wait_seconds (over MCP up to 25) waits for it to finish. To retry it, use retry_video.",
  keywords: {
    en: [
      'video status',
      'is it ready',
      'progress',
      'link to the finished mp4',
      'is my video done',
      'download a video',
      'when will it finish',
      'render progress',
    ],
    es: [
      'estado del video',
      'ya está listo',
      'progreso',
      'enlace al mp4',
      'mi video está listo',
      'descargar el video',
      'cuánto falta',
      'cómo va el video',
    ],
  },
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /videos/{video_id}', etag: contentTag },
  mcp: { core: true, app: { name: 'video', id: ({ id }) => id }, next },
  input: z.object({ video_id: VideoId, wait_seconds: z.int().min(0).max(60).default(0) }),
  output: VideoAnswer,
  run: async ({ video_id, wait_seconds }, call) => {
    return presentVideo(await awaitVideo(video_id, wait_seconds, call), readerOf(call));
  },
  examples: [{ title: 'A pending video', given: givenVideo, input: thatVideo }],
});

/** The next call of a model while the video is not done. */
function next({ id, status, progress }: VideoAnswer, say: SayCall): string | undefined {
  if (!UNFINISHED.has(status)) return undefined;
  return `Still ${status}, ${Math.floor(progress)} %. Call ${say('get_video', { video_id: id, wait_seconds: 25 })} again.`;
}

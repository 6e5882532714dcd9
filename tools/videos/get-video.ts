import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import type { Video } from '../../src/videos/video.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { givenVideo, thatVideo } from './example-video.ts';
import { VideoId } from './input.ts';
import { presentVideo, readerOf, VideoAnswer } from './video-output.ts';

export const getVideo = defineTool({
  name: 'get_video',
  title: 'Get a video',
  description:
    "Get a video's status and progress: its file URL once completed, or the reason it failed. wait_seconds (up to 60) waits for it to finish. To try a failed video again, use retry_video.",
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /videos/{video_id}', etag: contentTag },
  mcp: { core: true },
  input: z.object({ video_id: VideoId, wait_seconds: z.int().min(0).max(60).default(0) }),
  output: VideoAnswer,
  run: async ({ video_id, wait_seconds }, call) => {
    const video =
      wait_seconds > 0
        ? await ended(video_id, wait_seconds, call)
        : await call.app.videos.get(call.caller.accountId, video_id);
    return presentVideo(video, readerOf(call));
  },
  examples: [{ title: 'A pending video', given: givenVideo, input: thatVideo }],
});

/** The video when it has ended, or as it is by then. */
async function ended(id: string, seconds: number, { app, caller, signal, progress }: Call): Promise<Video> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  for await (const { frames, status } of app.videos.follow(caller.accountId, id, 0, until))
    progress(frames.done, frames.total, status);
  return app.videos.get(caller.accountId, id);
}

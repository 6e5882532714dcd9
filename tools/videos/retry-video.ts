import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenVideo, thatVideo } from './example-video.ts';
import { VideoId } from './input.ts';
import { presentVideo, readerOf, VideoAnswer } from './video-output.ts';

export const retryVideo = defineTool({
  name: 'retry_video',
  title: 'Retry a video',
  description:
    'Resume a failed or canceled video, or render again a completed one whose file is no longer stored. Finished parts are reused.',
  keywords: {
    en: [
      'resume rendering',
      'video failed',
      'continue a canceled video',
      'render again',
      'try a failed video again',
    ],
    es: [
      'reanudar un video',
      'el video falló',
      'continuar',
      'intentar de nuevo',
      'intentar otra vez un video que falló',
    ],
  },
  toolset: 'videos',
  effect: 'update',
  scope: 'videos:write',
  rest: { route: 'POST /videos/{video_id}/retry' },
  input: z.object({ video_id: VideoId }),
  output: VideoAnswer,
  run: async ({ video_id }, call) =>
    presentVideo(await call.app.videos.retry(call.caller.accountId, video_id), readerOf(call)),
  examples: [
    {
      title: 'A canceled video',
      given: [...givenVideo, ['cancel_video', thatVideo]],
      input: thatVideo,
    },
  ],
});

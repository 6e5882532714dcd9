import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenVideo, thatVideo } from './example-video.ts';
import { VideoId } from './input.ts';
import { presentVideo, readerOf, VideoAnswer } from './video-output.ts';

export const cancelVideo = defineTool({
  name: 'cancel_video',
  title: 'Cancel a video',
  description:
    'Stop rendering a video that is not completed: a pending one immediately, one in progress within about a second. To resume it, use retry_video; to remove it, use delete_video.',
  keywords: {
    en: [
      'stop rendering',
      'abort a render',
      'halt the clip in progress',
      'video no longer wanted',
      'stop a video that is rendering',
    ],
    es: [
      'parar el render',
      'detener el video',
      'cancelar la generación del video',
      'ya no quiero el video',
      'parar un video en proceso',
    ],
  },
  toolset: 'videos',
  effect: 'update',
  scope: 'videos:write',
  rest: { route: 'POST /videos/{video_id}/cancel' },
  input: z.object({ video_id: VideoId }),
  output: VideoAnswer,
  run: async ({ video_id }, call) =>
    presentVideo(await call.app.videos.cancel(call.caller.accountId, video_id), readerOf(call)),
  examples: [{ title: 'A pending video', given: givenVideo, input: thatVideo }],
});

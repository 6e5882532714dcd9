import { z } from 'zod';
import { VideoRequest } from '../../src/videos/request.ts';
import { defineTool } from '../contract/define.ts';
import { modelText } from '../mcp/model-text.ts';
import { readerOf, sayVideo, VideoAnswer } from './video-answer.ts';

const { webhook_url, ...fields } = VideoRequest.shape;
const { duration, width, height, audio, captions, poster_at } = fields;

export const createVideo = defineTool({
  name: 'create_video',
  title: 'Create a video',
  description:
    'Make a video of a template, filled with data (list_video_templates says what each takes). Answers at once: follow it with get_video, which has the link to the file in the end. Its size is that of aspect, 9:16 unless said, or width with height.',
  toolset: 'videos',
  effect: 'create',
  scope: 'videos:write',
  rest: {
    route: 'POST /videos',
    status: 200,
    ignoresUnknownFields: true,
    extraInput: {
      webhook_url: webhook_url.unwrap().meta({
        description: 'Told when the video has ended, signed with the webhook_secret of the answer',
      }),
    },
  },
  mcp: {
    core: true,
    view: (video) =>
      `${modelText(video)}\nIt is being made. get_video with wait_seconds tells when it is completed.`,
  },
  idempotency: { keep: ({ webhook_secret: _secret, ...video }) => video },
  input: z.object({
    ...fields,
    duration: duration.meta({ description: 'Seconds, 0.5 to 600' }),
    width: width.meta({ description: 'Even, 64 to 1920' }),
    height: height.meta({ description: 'Even, 64 to 1920' }),
    audio: audio.meta({
      description: 'src: https or data: address; times in seconds; duck: quieter while others sound',
    }),
    captions: captions.meta({ description: 'Or the text of an SRT or WebVTT file' }),
    poster_at: poster_at.meta({ description: 'Second that the poster, or a png, shows' }),
  }),
  output: VideoAnswer.extend({
    webhook_secret: z
      .string()
      .optional()
      .meta({ description: 'What the calls to webhook_url are signed with, by Standard Webhooks' }),
  }),
  run: async (request, call) => {
    const { app, caller, locale, baseUrl } = call;
    const video = await app.videos.create(caller, request, { locale, baseUrl });
    return {
      ...(await sayVideo(video, readerOf(call))),
      ...(request.webhook_url && { webhook_secret: await app.videos.webhookSecret(caller.accountId) }),
    };
  },
  examples: [
    { title: 'the least', input: { title: 'Opening day', duration: 0.5, width: 64, height: 64 } },
    {
      title: 'square, with captions',
      input: {
        title: 'Bread at seven',
        duration: 0.5,
        aspect: '1:1',
        fps: 10,
        quality: 'draft',
        captions: [{ start: 0, end: 0.5, text: 'Every morning.' }],
      },
    },
  ],
});

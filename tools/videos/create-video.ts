import { z } from 'zod';
import { VideoRequest } from '../../src/videos/request.ts';
import { defineTool } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';
import { presentVideo, readerOf, VideoAnswer } from './video-output.ts';

const { webhook_url, loudness, brand, ...fields } = VideoRequest.shape;
const { duration, width, height, audio, captions, poster_at } = fields;

export const createVideo = defineTool({
  name: 'create_video',
  title: 'Create a video',
  description:
    'Start rendering a video from a template and data. Returns status pending immediately; get_video has progress and the file. Size is 9:16 unless you set aspect, or width and height. For the data of templates, use list_video_templates.',
  keywords: {
    en: [
      'render a video',
      'make a reel',
      'product video',
      'tiktok or instagram clip',
      'film from html',
      'short ad',
      'vertical or square video',
    ],
    es: [
      'crear video',
      'hacer un reel',
      'video de producto',
      'clip para tiktok o instagram',
      'hacer un video',
      'anuncio corto',
      'video vertical o cuadrado',
    ],
  },
  toolset: 'videos',
  effect: 'create',
  scope: 'videos:write',
  rest: {
    route: 'POST /videos',
    status: 200,
    ignoresUnknownFields: true,
    extraInput: {
      loudness: loudness.meta({
        description: 'Of all sounds together, in LUFS; null leaves them as they are',
      }),
      brand: brand.meta({ description: 'Brand of the account, if there are several' }),
      webhook_url: webhook_url.unwrap().meta({
        description: 'URL called when the video ends, signed with the returned webhook_secret',
      }),
    },
  },
  mcp: {
    core: true,
    app: { name: 'video', id: ({ id }) => id },
    next: ({ id }, say) =>
      `Rendering has started. To wait until it is completed, call ${say('get_video', { video_id: id, wait_seconds: 25 })}.`,
  },
  idempotency: { keep: ({ webhook_secret: _secret, ...video }) => video },
  input: z.object({
    ...fields,
    duration: duration.meta({ description: 'Seconds, 0.5 to 600' }),
    width: width.meta({ description: 'Pixels, even, 64 to 1920' }),
    height: height.meta({ description: 'As width' }),
    audio: audio.meta({
      description: 'src: https or data URL; times in seconds; duck lowers it while others play',
    }),
    captions: captions.meta({
      description: 'Cues, with word times if known, or SRT or WebVTT',
    }),
    poster_at: poster_at.meta({ description: 'Second that the poster or PNG shows' }),
  }),
  output: VideoAnswer.extend({
    webhook_secret: z
      .string()
      .optional()
      .meta({ description: 'Secret that signs calls to webhook_url, by Standard Webhooks' }),
  }),
  run: async (request, call) => {
    const { app, caller, locale, baseUrl } = call;
    const data = await productFiller(call)(request.data);
    const video = await app.videos.create(caller, { ...request, data }, { locale, baseUrl });
    return {
      ...(await presentVideo(video, readerOf(call))),
      ...(request.webhook_url && { webhook_secret: await app.webhooks.videoSecret(caller.accountId) }),
    };
  },
  examples: [
    {
      title: 'Required fields and a small size',
      input: { title: 'Opening day', duration: 0.5, width: 64, height: 64 },
    },
    {
      title: 'Square, with captions',
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

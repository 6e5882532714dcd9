import { z } from 'zod';
import { VideoRequest } from '../../src/videos/request.ts';
import { defineTool } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';
import { awaitVideo } from './await-video.ts';
import { presentVideo, readerOf, UNFINISHED, VideoAnswer } from './video-output.ts';

const { webhook_url, loudness, brand, fps, ...fields } = VideoRequest.shape;
const { duration, width, height, transparent, audio, captions, poster_at } = fields;

export const createVideo = defineTool({
  name: 'create_video',
  title: 'Create a video',
  description:
    "Render a video from a template and data. wait_seconds (over MCP up to 25) waits for it; get_video has its progress. Size is 9:16 unless you set aspect, or width and height. For a template's data, use list_video_templates.",
  keywords: {
    en: [
      'render a video',
      'make a reel',
      'product video',
      'tiktok or instagram clip',
      'film from html',
      'short ad',
      'vertical or square video',
      'transparent overlay',
    ],
    es: [
      'crear video',
      'hacer un reel',
      'video de producto',
      'clip para tiktok o instagram',
      'hacer un video',
      'anuncio corto',
      'video vertical o cuadrado',
      'video con fondo transparente',
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
        description: 'Loudness of the mixed sound in LUFS; null leaves it unchanged',
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
    next: ({ id, status }, say) =>
      UNFINISHED.has(status)
        ? `Rendering has started. To wait until it is completed, call ${say('get_video', { video_id: id, wait_seconds: 25 })}.`
        : undefined,
  },
  idempotency: { keep: ({ webhook_secret: _secret, ...video }) => video },
  input: z.object({
    ...fields,
    duration: duration.meta({ description: 'Seconds, 0.5 to 600' }),
    width: width.meta({ description: 'Pixels, even, 64 to 3840' }),
    height: height.meta({ description: 'As width' }),
    fps: fps.meta({ description: 'Whole, or 23.976, 29.97, 59.94' }),
    transparent: transparent.meta({ description: 'Alpha, WebM only' }),
    audio: audio.meta({
      description: 'src: https or data URL; times in seconds; duck lowers it while others play',
    }),
    captions: captions.meta({
      description: 'Cues, with word times if known, or SRT, WebVTT',
    }),
    poster_at: poster_at.meta({ description: 'Second shown in the poster, or in a PNG' }),
    wait_seconds: z.int().min(0).max(60).default(0),
  }),
  output: VideoAnswer.extend({
    webhook_secret: z
      .string()
      .optional()
      .meta({ description: 'Secret that signs calls to webhook_url, as in Standard Webhooks' }),
  }),
  run: async ({ wait_seconds, ...request }, call) => {
    const { app, caller, locale, baseUrl } = call;
    const data = await productFiller(call)(request.data);
    const { id } = await app.videos.create(caller, { ...request, data }, { locale, baseUrl });
    const video = await awaitVideo(id, wait_seconds, call);
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

import { z } from 'zod';
import { localizeWarning } from '../../src/language.ts';
import { PREVIEW_TYPES, previewAddresses } from '../../src/videos/preview-addresses.ts';
import { Aspect, LIMITS } from '../../src/videos/request.ts';
import { Manifest } from '../../src/videos/templates/video-template.ts';
import { defineTool } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';
import { greeting } from './example-video.ts';
import { KnownTemplate } from './input.ts';
import { VideoWarning } from './video-output.ts';

/** How long a link works, in days. */
const LINK_DAYS = 1 / 24;

const fields = z.record(z.string(), z.json());

export const previewVideoTemplate = defineTool({
  name: 'preview_video_template',
  title: 'Preview a video template',
  description:
    'Get a link to a page that plays a video template with your data, frame by frame as the video would show it, without rendering. Send html to try an unsaved template. The link works for an hour, for anyone who has it. To make the file, use create_video.',
  keywords: {
    en: [
      'watch before rendering',
      'play a template',
      'try it out',
      'draft of the video without making it',
      'how will the video look',
    ],
    es: [
      'vista previa del video',
      'ver antes de generar',
      'reproducir',
      'probar sin generar',
      'cómo quedará el video',
      'antes de renderizar',
    ],
  },
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'POST /video-templates/{template}/preview' },
  input: z.object({
    template: KnownTemplate,
    data: fields.optional().meta({ description: 'Default: the sample data' }),
    brand: fields.optional().meta({ description: 'Overrides fields of data.brand' }),
    aspect: Aspect.optional().meta({ description: "Default: the template's first" }),
    duration: z
      .number()
      .min(LIMITS.seconds.min)
      .max(LIMITS.seconds.max)
      .optional()
      .meta({ description: "Seconds; default: the template's" }),
    html: z
      .string()
      .min(1)
      .max(LIMITS.htmlBytes)
      .optional()
      .meta({ description: 'Unsaved HTML, instead of the saved one' }),
    manifest: Manifest.strict().optional().meta({ description: 'Manifest of the unsaved HTML' }),
  }),
  output: z.object({
    url: z.string(),
    expires_at: z.iso.datetime(),
    warnings: z.array(VideoWarning),
  }),
  run: async ({ template: name, ...input }, call) => {
    const { app, caller, baseUrl, signal } = call;
    const { html, scripts, warnings } = await app.videos.preview(
      caller.accountId,
      { name, ...input, data: await productFiller(call)(input.data) },
      {
        addresses: previewAddresses(baseUrl),
        say: (warning) => localizeWarning(warning, call).message,
        signal,
      },
    );
    const mediaType = scripts ? PREVIEW_TYPES.scripts : PREVIEW_TYPES.plain;
    const file = { bytes: Buffer.from(html), mediaType, filename: 'preview.html' };
    const { id, path, expires_at } = await app.files.save(caller.accountId, file, { days: LINK_DAYS });
    return {
      url: `${baseUrl}/video-previews/${id}${path.slice(path.indexOf('?'))}`,
      expires_at,
      warnings: warnings.map((warning) => localizeWarning(warning, call)),
    };
  },
  examples: [
    {
      title: 'A built-in template with your own data',
      input: { template: 'default', data: { title: 'Opening day' }, aspect: '1:1', duration: 3 },
    },
    { title: 'Unsaved HTML', input: { template: 'draft', html: greeting.html, data: { title: 'Hello' } } },
  ],
});

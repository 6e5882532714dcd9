import { z } from 'zod';
import { Manifest, type VideoTemplate } from '../../src/videos/templates/video-template.ts';

/** A video template as lists show it. */
export const TemplateAnswer = z.object({
  name: z.string(),
  built_in: z
    .boolean()
    .meta({ description: 'True for a template of the product, false for one of the account' }),
  version: z.number().nullable().meta({ description: 'Number of saves; null for a built-in template' }),
  manifest: Manifest.meta({ description: 'Title, schema and sample of its data, aspects, duration' }),
});

/** The same with its content. */
export const WholeTemplate = TemplateAnswer.extend({ html: z.string(), etag: z.string() });

export function presentTemplate({
  name,
  builtIn,
  version,
  manifest,
}: VideoTemplate): z.input<typeof TemplateAnswer> {
  return { name, built_in: builtIn, version, manifest };
}

export function presentTemplateWithHtml(template: VideoTemplate): z.input<typeof WholeTemplate> {
  const { html, tag } = template;
  return { ...presentTemplate(template), html, etag: tag };
}

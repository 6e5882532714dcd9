import { z } from 'zod';
import { Manifest, type VideoTemplate } from '../../src/videos/templates/video-template.ts';

/** A video template as a list tells of it. */
export const TemplateAnswer = z.object({
  name: z.string(),
  built_in: z.boolean().meta({ description: 'One of ours, not of the account' }),
  manifest: Manifest.meta({ description: 'schema says what data it takes, sample shows it' }),
});

/** The same with its content. */
export const WholeTemplate = TemplateAnswer.extend({ html: z.string(), etag: z.string() });

export function sayTemplate({ name, builtIn, manifest }: VideoTemplate): z.input<typeof TemplateAnswer> {
  return { name, built_in: builtIn, manifest };
}

export function sayWholeTemplate(template: VideoTemplate): z.input<typeof WholeTemplate> {
  const { html, tag } = template;
  return { ...sayTemplate(template), html, etag: tag };
}

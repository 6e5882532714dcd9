import { z } from 'zod';
import { Warning } from '../../src/templates/schema.ts';
import { LIMITS } from '../../src/videos/request.ts';
import { Manifest, VideoTemplateName } from '../../src/videos/templates/video-template.ts';
import { defineTool } from '../contract/define.ts';
import { localizeWarnings } from '../templates/output.ts';
import { greeting } from './example-video.ts';
import { presentTemplateWithHtml, WholeTemplate } from './template-output.ts';

export const saveVideoTemplate = defineTool({
  name: 'save_video_template',
  title: 'Save a video template',
  description:
    'Create or replace a video template in this account. html is one page with an element #stage, {{variables}} and your partials, {{> name}}; CSS animations drive it, data-scene marks scenes. Each save is a new version. Existing videos are not affected.',
  keywords: {
    en: [
      'new video template',
      'upload my own design',
      'custom animation',
      'change a video template',
      'change the html of a video layout',
    ],
    es: [
      'guardar plantilla de video',
      'crear mi propio diseño',
      'animación propia',
      'cambiar un diseño de video',
      'cambiar el html de un diseño',
    ],
  },
  toolset: 'videos',
  effect: 'update',
  scope: 'videos:write',
  rest: {
    route: 'PUT /video-templates/{template}',
    created: ({ created }) => created,
    etag: ({ etag }) => etag,
  },
  input: z.object({
    template: VideoTemplateName,
    html: z.string().min(1).max(LIMITS.htmlBytes),
    manifest: Manifest.strict(),
    expected_version: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .meta({ description: 'Version you read, 0 for a new one; a newer one is not overwritten' }),
  }),
  output: WholeTemplate.extend({
    created: z.boolean().meta({ description: 'False when an existing template was replaced' }),
    warnings: z.array(Warning),
  }),
  run: async ({ template: name, expected_version: expectedVersion, ...content }, call) => {
    const { app, caller, signal, ifMatch } = call;
    const { templates } = app.videos;
    const { template, ...saved } = await templates.save(
      caller.accountId,
      { name, ...content },
      { ifMatch, expectedVersion, signal },
    );
    return localizeWarnings({ ...presentTemplateWithHtml(template), ...saved }, call);
  },
  examples: [{ title: 'A greeting that rises', input: greeting }],
});

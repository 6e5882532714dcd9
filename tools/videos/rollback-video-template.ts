import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { greeting } from './example-video.ts';
import { KnownTemplate } from './input.ts';
import { presentTemplateWithHtml, WholeTemplate } from './template-output.ts';

export const rollbackVideoTemplate = defineTool({
  name: 'rollback_video_template',
  title: 'Roll back a video template',
  description:
    'Undo a change to a video template: save the content of version `to` (default: the previous one) as a new version. Existing videos are not affected. Returns the template now in use.',
  keywords: {
    en: ['undo a video template change', 'restore an earlier video design', 'revert', 'go back'],
    es: [
      'volver a una versión previa de la plantilla de video',
      'deshacer el cambio de un diseño de video',
      'revertir',
    ],
  },
  toolset: 'videos',
  effect: 'update',
  scope: 'videos:write',
  rest: { route: 'POST /video-templates/{template}/rollback', etag: ({ etag }) => etag },
  input: z.object({ template: KnownTemplate, to: z.int().min(1).max(1_000_000_000).optional() }),
  output: WholeTemplate.extend({
    rolled_back_from: z.number().meta({ description: 'Version whose content was restored' }),
  }),
  run: async ({ template: name, to }, { app, caller, signal }) => {
    const { template: restored, rolledBackFrom } = await app.videos.templates.rollback(
      caller.accountId,
      name,
      to,
      signal,
    );
    return { ...presentTemplateWithHtml(restored), rolled_back_from: rolledBackFrom };
  },
  examples: [
    {
      title: 'Back to the previous version',
      given: [
        ['save_video_template', greeting],
        ['save_video_template', { ...greeting, html: '<div id="stage">Oops {{title}}</div>' }],
      ],
      input: { template: greeting.template },
    },
  ],
});

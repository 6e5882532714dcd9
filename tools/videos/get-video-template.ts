import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { greeting } from './example-video.ts';
import { KnownTemplate } from './input.ts';
import { presentTemplateWithHtml, WholeTemplate } from './template-output.ts';

export const getVideoTemplate = defineTool({
  name: 'get_video_template',
  title: 'Get a video template',
  description:
    'Get a video template: the schema of its data, sample data, aspects and its HTML. version reads an earlier version of yours. To change your own templates, use save_video_template.',
  keywords: {
    en: [
      'html of a video template',
      'fields a video needs',
      'one design',
      'what data does a video template take',
      'variables of a video design',
    ],
    es: [
      'datos que pide la plantilla de video',
      'código html del video',
      'campos',
      'un diseño',
      'qué datos necesita un diseño de video',
      'variables de un diseño de video',
    ],
  },
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /video-templates/{template}', etag: ({ etag }) => etag },
  input: z.object({
    template: KnownTemplate,
    version: z.int().min(1).max(1_000_000_000).optional().meta({ description: 'Default: the one in use' }),
  }),
  output: WholeTemplate,
  run: async ({ template: name, version }, { app, caller }) =>
    presentTemplateWithHtml(await app.videos.templates.get(caller.accountId, name, version)),
  examples: [
    { title: 'A built-in template', input: { template: 'default' } },
    {
      title: 'A template of the account',
      given: [['save_video_template', greeting]],
      input: { template: greeting.template },
    },
    {
      title: 'An earlier version',
      given: [
        ['save_video_template', greeting],
        ['save_video_template', { ...greeting, html: '<div id="stage">Oops {{title}}</div>' }],
      ],
      input: { template: greeting.template, version: 1 },
    },
  ],
});

import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { greeting } from './example-video.ts';
import { KnownTemplate } from './input.ts';

export const listVideoTemplateVersions = defineTool({
  name: 'list_video_template_versions',
  title: 'List video template versions',
  description:
    'List the versions of a video template, newest first; the newest is in use. The last 50 are kept. Built-in templates have none. To restore one, use rollback_video_template.',
  keywords: {
    en: ['video template history', 'earlier versions of a video design', 'revisions of a video template'],
    es: ['versiones de la plantilla de video', 'historial de un diseño de video', 'revisiones'],
  },
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /video-templates/{template}/versions' },
  input: z.object({ template: KnownTemplate, ...paging }),
  output: page(
    z.object({
      version: z.number(),
      title: z.string(),
      rolled_back_from: z
        .number()
        .nullable()
        .meta({ description: 'Version whose content a rollback restored' }),
      created_at: z.iso.datetime(),
    }),
  ),
  run: async ({ template: name, ...request }, { app, caller }) => {
    const { items, ...more } = await app.videos.templates.versions(caller.accountId, name, request);
    return {
      items: items.map((item) => ({ ...item, created_at: item.created_at.toISOString() })),
      ...more,
    };
  },
  examples: [
    {
      title: 'A template saved twice',
      given: [
        ['save_video_template', greeting],
        ['save_video_template', greeting],
      ],
      input: { template: greeting.template },
    },
  ],
});

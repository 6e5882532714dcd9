import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';

export const exportBundle = defineTool({
  name: 'export_bundle',
  title: 'Export a bundle',
  description:
    'Back up all templates, or the named ones with the layouts and partials they use, as one ZIP with every version, branch, environment and fixture. Returns the file or a download link. To load it again, use import_templates.',
  keywords: {
    en: [
      'back up all templates',
      'backup',
      'download everything',
      'archive',
      'zip of all emails',
      'copy of all templates',
    ],
    es: [
      'respaldo de todas las plantillas',
      'copia de seguridad',
      'respaldar',
      'descargar todo',
      'zip con todos los correos',
      'copia de todas las plantillas',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/bundle', sendsFile: true },
  mcp: {
    view: ({ filename, bytes, url, expires_at }) =>
      `${filename}, ${bytes} bytes: ${url} (until ${expires_at})`,
  },
  input: z.object({
    templates: z
      .union([z.array(z.string().min(1).max(200)).min(1).max(200), z.string().min(1).max(20_000)])
      .optional()
      .meta({ description: 'Template names, as a list or separated by commas; default all templates' }),
    assets: z.boolean().default(true).meta({
      description:
        'Include the images and fonts that the templates refer to; requires assets:read if there are any',
    }),
  }),
  output: Delivered,
  job: true,
  run: async ({ templates, assets }, { app, caller, signal, progress, deliver }) => {
    const mayReadAssets = caller.scopes.includes('assets:read');
    const request = { names: namesIn(templates), assets, mayReadAssets, signal, progress };
    return app.templates.bundles.export(caller.accountId, request, deliver);
  },
  examples: [{ title: 'Two templates', input: { templates: ['welcome', 'receipt'] } }],
});

function namesIn(list: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof list === 'string' ? list.split(',').map((name) => name.trim()) : list;
}

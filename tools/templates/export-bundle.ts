import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';

export const exportBundle = defineTool({
  name: 'export_bundle',
  title: 'Export a bundle',
  description:
    'Back up all templates, or the named ones with the layouts and partials they use, as one ZIP with every version, branch, environment and fixture. Returns the file or a download link. To load it again, use import_templates.',
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
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: 'Template names separated by commas; default all templates' }),
  }),
  output: Delivered,
  run: async ({ templates }, call) =>
    call.deliver(await call.app.templates.bundles.export(call.caller.accountId, namesIn(templates))),
  examples: [{ title: 'Two templates', input: { templates: 'welcome,receipt' } }],
});

function namesIn(list: string | undefined): string[] | undefined {
  return list?.split(',').map((name) => name.trim());
}

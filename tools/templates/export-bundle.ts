import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';

export const exportBundle = defineTool({
  name: 'export_bundle',
  title: 'Export templates as a bundle',
  description:
    'All templates, or those named and the layouts and partials they use, as one zip: every version, branch, environment and fixture, in readable files. import_templates brings it back the same.',
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
      .meta({ description: 'Names with commas between them; all templates when left out' }),
  }),
  output: Delivered,
  run: async ({ templates }, call) =>
    call.deliver(await call.app.templates.bundles.export(call.caller.accountId, namesIn(templates))),
  examples: [{ title: 'two templates', input: { templates: 'welcome,receipt' } }],
});

function namesIn(list: string | undefined): string[] | undefined {
  return list?.split(',').map((name) => name.trim());
}

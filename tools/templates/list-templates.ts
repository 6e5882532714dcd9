import { z } from 'zod';
import { TemplateKind, TemplateSummary } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description:
    'List templates with the version each environment points to. q searches names and descriptions; filter with tag or kind. Returns summaries without content; use get_template for variables and HTML.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates' },
  mcp: { core: true },
  input: z.object({
    q: z.string().max(200).optional(),
    tag: z.string().max(50).optional(),
    kind: TemplateKind.optional(),
    ...paging,
  }),
  output: page(TemplateSummary),
  run: (input, { app, caller }) => app.templates.catalog.list(caller.accountId, input),
  examples: [
    { title: 'All templates', input: {} },
    { title: 'Layouts, one per page', input: { kind: 'layout', limit: 1 } },
  ],
});

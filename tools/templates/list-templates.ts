import { z } from 'zod';
import { page, paging, TemplateKind, TemplateSummary } from '../../src/templates/schema.ts';
import { defineTool } from '../define.ts';

export const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description:
    'List stored templates by name, with the version each environment shows. q searches names and descriptions.',
  toolset: 'templates',
  core: true,
  effect: 'read',
  scope: 'templates:read',
  route: 'GET /v1/templates',
  input: z.object({
    q: z.string().max(200).optional(),
    tag: z.string().max(50).optional(),
    kind: TemplateKind.optional(),
    ...paging,
  }),
  output: page(TemplateSummary),
  run: (input, { app, caller }) => app.templates.catalog.list(caller.accountId, input),
  examples: [
    { title: 'all templates', input: {} },
    { title: 'layouts, one at a time', input: { kind: 'layout', limit: 1 } },
  ],
});

import { z } from 'zod';
import { Template, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../define.ts';
import { author, sayWarnings } from './answer.ts';

export const restoreTemplate = defineTool({
  name: 'restore_template',
  title: 'Restore a deleted template',
  description:
    'Bring back a template deleted in the last 30 days, with its versions, branches and environments.',
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:write',
  route: 'POST /v1/templates/{name}/restore',
  input: z.object({ name: TemplateName }),
  output: Template,
  run: async ({ name }, call) =>
    sayWarnings(await call.app.templates.catalog.restore(author(call), name), call.locale),
  etag: ({ etag }) => etag,
  examples: [
    {
      title: 'undo a deletion',
      given: [['delete_template', { name: 'product-launch' }]],
      input: { name: 'product-launch' },
    },
  ],
});

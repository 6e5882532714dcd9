import { z } from 'zod';
import { Template, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author, localizeWarnings } from './output.ts';

export const restoreTemplate = defineTool({
  name: 'restore_template',
  title: 'Restore a deleted template',
  description:
    'Restore (undelete) a template deleted in the last 30 days, with its versions, branches and environments. To undo a change instead of a deletion, use rollback_template.',
  keywords: {
    en: [
      'undelete',
      'bring back a deleted email',
      'get back what was removed by accident',
      'recycle bin',
      'deleted by mistake',
      'where did it go',
      'recover a template',
    ],
    es: [
      'recuperar una plantilla borrada',
      'deshacer el borrado',
      'eliminada por error',
      'papelera',
      'recuperar un correo',
    ],
  },
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:write',
  rest: { route: 'POST /v1/templates/{template}/restore', etag: ({ etag }) => etag },
  input: z.object({ template: TemplateName }),
  output: Template,
  run: async ({ template: name }, call) =>
    localizeWarnings(await call.app.templates.catalog.restore(author(call), name), call),
  examples: [
    {
      title: 'Undo a deletion',
      given: [['delete_template', { template: 'product-launch' }]],
      input: { template: 'product-launch' },
    },
  ],
});

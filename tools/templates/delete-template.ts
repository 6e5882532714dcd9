import { z } from 'zod';
import { TemplateName } from '../../src/templates/schema.ts';
import { Deleted, defineTool } from '../contract/define.ts';
import { author } from './output.ts';

export const deleteTemplate = defineTool({
  name: 'delete_template',
  title: 'Delete a template',
  description:
    'Delete a template. restore_template brings it back for 30 days. Fails while another template uses it.',
  keywords: {
    en: ['get rid of an email', 'trash', 'clean up', 'remove a template', 'old email no longer needed'],
    es: [
      'tirar un correo',
      'papelera',
      'limpiar',
      'borrar un correo',
      'eliminar una plantilla',
      'correo que ya no se usa',
    ],
  },
  toolset: 'templates',
  effect: 'delete',
  scope: 'templates:write',
  rest: { route: 'DELETE /v1/templates/{template}' },
  input: z.object({ template: TemplateName }),
  output: Deleted,
  confirm: async ({ template: name }, { app, caller }) => {
    const { name: template } = await app.templates.catalog.get(caller.accountId, name, {});
    return { key: 'delete_template', params: { template } };
  },
  run: async ({ template: name }, call) => {
    await call.app.templates.catalog.remove(author(call), name, call.ifMatch);
    return { deleted: true as const };
  },
  examples: [{ title: 'An unused starter template', input: { template: 'product-launch' } }],
});

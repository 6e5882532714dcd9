import { z } from 'zod';
import { FixtureName, TemplateName } from '../../src/templates/schema.ts';
import { Deleted, defineTool } from '../contract/define.ts';
import { author } from './output.ts';

export const deleteFixture = defineTool({
  name: 'delete_fixture',
  title: 'Delete a fixture',
  description: 'Delete a fixture: named sample data of a template.',
  keywords: {
    en: ['remove test data', 'delete sample data', 'drop an example'],
    es: ['borrar datos de muestra', 'quitar datos de prueba', 'eliminar un ejemplo'],
  },
  toolset: 'templates',
  effect: 'delete',
  scope: 'templates:write',
  rest: { route: 'DELETE /v1/templates/{template}/fixtures/{fixture}' },
  input: z.object({ template: TemplateName, fixture: FixtureName }),
  output: Deleted,
  run: async ({ template, fixture }, call) => {
    await call.app.templates.fixtures.remove(author(call), template, fixture);
    return { deleted: true as const };
  },
  examples: [
    { title: 'The fixture of a starter template', input: { template: 'receipt', fixture: 'sample' } },
  ],
});

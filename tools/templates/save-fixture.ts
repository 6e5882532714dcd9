import { z } from 'zod';
import { Data, Fixture, FixtureName, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';
import { author } from './output.ts';

export const saveFixture = defineTool({
  name: 'save_fixture',
  title: 'Save a fixture',
  description:
    'Create or replace a fixture: named sample data of a template. Every save, merge and promotion renders it. To render it yourself, send its name to render_template as fixture.',
  keywords: {
    en: [
      'create sample data',
      'store test data',
      'example values for a template',
      'remember example data',
      'keep data for previews',
    ],
    es: [
      'guardar datos de muestra',
      'datos de prueba',
      'valores de ejemplo',
      'recordar datos de ejemplo',
      'guardar ejemplo',
    ],
  },
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:write',
  rest: { route: 'PUT /v1/templates/{template}/fixtures/{fixture}' },
  input: z.object({ template: TemplateName, fixture: FixtureName, data: Data }),
  output: Fixture,
  // With the values that products have now: a fixture renders the same every time.
  run: async ({ template, fixture, data }, call) =>
    call.app.templates.fixtures.save(author(call), template, fixture, await productFiller(call)(data)),
  examples: [{ title: 'A customer', input: { template: 'welcome', fixture: 'ana', data: { name: 'Ana' } } }],
});

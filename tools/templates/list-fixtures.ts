import { z } from 'zod';
import { Fixture, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const listFixtures = defineTool({
  name: 'list_fixtures',
  title: 'List fixtures',
  description: "List a template's fixtures: named sample data to render, export or preview it with.",
  keywords: {
    en: ['what sample data is there', 'show test data', 'examples of a template'],
    es: ['listar datos de muestra', 'qué datos de prueba hay', 'ejemplos guardados'],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/fixtures' },
  input: z.object({ template: TemplateName }),
  output: z.object({ items: z.array(Fixture) }),
  run: ({ template }, { app, caller }) => app.templates.fixtures.list(caller.accountId, template),
  examples: [{ title: 'Fixtures of a starter template', input: { template: 'receipt' } }],
});

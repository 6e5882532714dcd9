import { z } from 'zod';
import { EnvironmentName, PointerEvent, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listEnvironmentHistory = defineTool({
  name: 'list_environment_history',
  title: 'List environment history',
  description:
    'List the versions of a template that an environment has pointed to, newest first: every promotion and rollback with who made it, when and why.',
  keywords: {
    en: [
      'promotions log',
      'when was it published',
      'who published',
      'past releases',
      'what was live before',
      'deployments',
      'which version was in production at a time',
      'last change of production',
    ],
    es: [
      'historial de producción',
      'cuándo se publicó',
      'quién publicó',
      'publicaciones anteriores',
      'qué estaba en producción',
      'qué versión estaba en producción',
      'último cambio de producción',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/environments/{environment}/history' },
  input: z.object({ template: TemplateName, environment: EnvironmentName, ...paging }),
  output: page(PointerEvent),
  run: ({ template, environment, ...request }, { app, caller }) =>
    app.templates.environments.history(caller.accountId, template, environment, request),
  examples: [{ title: 'Production', input: { template: 'welcome', environment: 'production' } }],
});

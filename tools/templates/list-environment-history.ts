import { z } from 'zod';
import { EnvironmentName, PointerEvent, page, paging, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const listEnvironmentHistory = defineTool({
  name: 'list_environment_history',
  title: 'List what an environment showed',
  description: 'List what an environment showed of a template, newest first, with who changed it and why.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/environments/{environment}/history' },
  input: z.object({ template: TemplateName, environment: EnvironmentName, ...paging }),
  output: page(PointerEvent),
  run: ({ template, environment, ...request }, { app, caller }) =>
    app.templates.environments.history(caller.accountId, template, environment, request),
  examples: [{ title: 'production', input: { template: 'welcome', environment: 'production' } }],
});

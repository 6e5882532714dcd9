import { z } from 'zod';
import { Environment } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const listEnvironments = defineTool({
  name: 'list_environments',
  title: 'List environments',
  description: 'List the environments and what each demands of a promotion.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/environments' },
  input: z.object({}),
  output: z.object({ items: z.array(Environment) }),
  run: (_input, { app, caller }) => app.templates.environments.list(caller.accountId),
  examples: [{ title: 'staging and production', input: {} }],
});

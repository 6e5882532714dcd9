import { z } from 'zod';
import { Environment } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const listEnvironments = defineTool({
  name: 'list_environments',
  title: 'List environments',
  description:
    'List staging and production with what each requires of a promotion: the environment a version must be on first, the number of approvals, and whether it is frozen.',
  keywords: {
    en: [
      'staging and production settings',
      'is production frozen',
      'which approvals are required',
      'protection rules',
    ],
    es: [
      'lista de entornos',
      'está congelada producción',
      'qué aprobaciones se requieren',
      'reglas de protección',
      'qué versión está publicada',
      'qué hay en producción',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/environments' },
  input: z.object({}),
  output: z.object({ items: z.array(Environment) }),
  run: (_input, { app, caller }) => app.templates.environments.list(caller.accountId),
  examples: [{ title: 'Staging and production', input: {} }],
});

import { z } from 'zod';
import { Environment, EnvironmentName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './output.ts';

export const protectEnvironment = defineTool({
  name: 'protect_environment',
  title: 'Protect an environment',
  description:
    'Set what promotions to an environment require: an environment the version must be on first (or none), the number of approvals, and whether to freeze it. People approve a version by promoting it. Omitted fields stay as they are.',
  keywords: {
    en: [
      'freeze production',
      'lock publishing',
      'require approval',
      'block releases',
      'unfreeze',
      'code freeze',
      'nobody may publish',
    ],
    es: [
      'congelar producción',
      'bloquear publicaciones',
      'exigir aprobación',
      'descongelar',
      'proteger',
      'nadie puede publicar',
    ],
  },
  toolset: 'templates',
  effect: 'update',
  scope: 'environments:manage',
  dangerous: { page: '/templates' },
  rest: { route: 'PATCH /v1/environments/{environment}' },
  input: z.object({
    environment: EnvironmentName,
    require_from: z.enum(['none', ...EnvironmentName.options]).optional(),
    approvals: z.int().min(0).max(10).optional(),
    freeze: z.boolean().optional(),
  }),
  output: Environment,
  run: ({ environment, ...protection }, call) =>
    call.app.templates.environments.protect(author(call), environment, protection),
  examples: [
    {
      title: 'Production accepts only versions that are on staging',
      input: { environment: 'production', require_from: 'staging' },
    },
  ],
});

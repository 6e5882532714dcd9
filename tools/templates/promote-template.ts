import { z } from 'zod';
import { EnvironmentName, Reference, TemplateName, VersionLabel } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './output.ts';
import { productionQuestion } from './questions.ts';

export const Promoted = z.object({
  template: z.string(),
  environment: EnvironmentName,
  version: z.string(),
  previous: z.string().optional(),
  status: z.enum(['promoted', 'awaiting_approval', 'unchanged']),
  id: z.string().optional().meta({ description: 'ID of the event in the environment history' }),
  approvals: z.number(),
  approvals_required: z.number(),
  checks: z.array(z.object({ check: z.string(), passed: z.boolean(), findings: z.array(z.string()) })),
});

export const promoteTemplate = defineTool({
  name: 'promote_template',
  title: 'Promote a template',
  description:
    'Point an environment at version, or at the one that the branch or environment in `from` is on (default main for staging, staging for production). Fails if callers would break, a fixture does not render or lint finds errors, unless force=true. To go back, use rollback_template.',
  keywords: {
    en: [
      'go live',
      'publish',
      'release to production',
      'deploy',
      'ship',
      'push to staging',
      'make a version live',
      'send a version to customers',
      'promote to production',
    ],
    es: [
      'publicar la plantilla',
      'poner en producción',
      'lanzar',
      'desplegar',
      'pasar a staging',
      'publicar una versión',
      'que lo reciban los clientes',
      'promover a producción',
    ],
  },
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:promote',
  rest: { route: 'POST /v1/templates/{template}/promote' },
  mcp: { core: true },
  input: z.object({
    template: TemplateName,
    to: EnvironmentName,
    from: Reference.optional(),
    version: VersionLabel.optional(),
    force: z.boolean().default(false),
    note: z.string().max(500).default(''),
  }),
  output: Promoted,
  confirm: async ({ template, to, from = 'staging', version = from, force }, call) =>
    to === 'production'
      ? productionQuestion(call, template, { key: force ? 'promote_forced' : 'promote', version })
      : undefined,
  run: ({ template, ...promotion }, call) =>
    call.app.templates.promotion.promote(author(call), template, { ...promotion, locale: call.locale }),
  examples: [
    {
      title: 'The head of main to staging',
      given: [['update_template', { template: 'welcome', subject: 'Good morning' }]],
      input: { template: 'welcome', to: 'staging' },
    },
  ],
});

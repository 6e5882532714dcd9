import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import {
  BranchName,
  DEFAULT_BRANCH,
  EnvironmentName,
  Reference,
  TemplateName,
} from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './answer.ts';

export const rollbackTemplate = defineTool({
  name: 'rollback_template',
  title: 'Roll back a template',
  description:
    'With environment: that environment shows an older version at once (without to: the one before). With branch, or neither: a new version with the old content; history is kept.',
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:promote',
  rest: { route: 'POST /v1/templates/{template}/rollback' },
  mcp: { core: true },
  input: z.object({
    template: TemplateName,
    to: Reference.optional(),
    branch: BranchName.optional(),
    environment: EnvironmentName.optional(),
    message: z.string().max(500).default(''),
  }),
  output: z.object({
    template: z.string(),
    version: z.string(),
    branch: z.string().optional(),
    environment: EnvironmentName.optional(),
    previous: z.string().optional().meta({ description: 'What the environment showed before' }),
    rolled_back_from: z.string().optional().meta({ description: 'The version whose content came back' }),
  }),
  run: ({ template, to, branch, environment, message }, call) => {
    const { versions, promotion } = call.app.templates;
    if (branch && environment) throw new Fault('validation_failed.rollback');
    if (environment) return promotion.rollback(author(call), template, environment, to, message);
    if (to === undefined) throw new Fault('validation_failed.rollback_to');
    return versions.rollback(author(call), template, { to, branch: branch ?? DEFAULT_BRANCH, message });
  },
  examples: [
    {
      title: 'the old content again',
      given: [['update_template', { name: 'welcome', html: '<p>Oops {{name}}</p>' }]],
      input: { template: 'welcome', to: 'v1.0.0' },
    },
    {
      title: 'production shows what it showed before',
      given: [
        ['update_template', { name: 'welcome', subject: 'Oops' }],
        ['promote_template', { template: 'welcome', to: 'production', from: 'main' }],
      ],
      input: { template: 'welcome', environment: 'production' },
    },
  ],
});

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
import { author } from './output.ts';
import { productionQuestion } from './questions.ts';

export const rollbackTemplate = defineTool({
  name: 'rollback_template',
  title: 'Roll back a template',
  description:
    'Undo a change to a template. With environment, point it at an earlier version immediately (default: the previous one). Otherwise, save the content of version `to` as a new version on a branch (default main). History is kept.',
  keywords: {
    en: ['undo my last change', 'go back to the previous version', 'bad release'],
    es: ['deshacer el último cambio', 'revertir', 'volver a la versión anterior', 'error en producción'],
  },
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
    previous: z.string().optional().meta({ description: 'Version the environment pointed to before' }),
    rolled_back_from: z.string().optional().meta({ description: 'Version whose content was restored' }),
  }),
  confirm: async ({ template, to, environment }, call) => {
    if (environment !== 'production') return undefined;
    const version =
      to ?? (await call.app.templates.promotion.previous(call.caller.accountId, template, environment));
    return version === undefined
      ? undefined
      : productionQuestion(call, template, { key: 'roll_back', version });
  },
  run: ({ template, to, branch, environment, message }, call) => {
    const { versions, promotion } = call.app.templates;
    if (branch && environment) throw new Fault('validation_failed.rollback');
    if (environment) return promotion.rollback(author(call), template, environment, to, message);
    if (to === undefined) throw new Fault('validation_failed.rollback_to');
    return versions.rollback(author(call), template, { to, branch: branch ?? DEFAULT_BRANCH, message });
  },
  examples: [
    {
      title: 'Restore old content on main',
      given: [['update_template', { template: 'welcome', html: '<p>Oops {{name}}</p>' }]],
      input: { template: 'welcome', to: 'v1.0.0' },
    },
    {
      title: 'Production back to its previous version',
      given: [
        ['update_template', { template: 'welcome', subject: 'Oops' }],
        ['promote_template', { template: 'welcome', to: 'production', from: 'main' }],
      ],
      input: { template: 'welcome', environment: 'production' },
    },
  ],
});

import { z } from 'zod';
import { BranchName, Reference, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './answer.ts';
import { LintSummary, modelChoice, modelReport, sayWritten } from './generate-template.ts';

export const editTemplate = defineTool({
  name: 'edit_template',
  title: 'Have a template changed',
  description:
    'Have an outside model change a stored template as told in words. The result is a version on a Draft branch, never on main: look at the diff, then use merge_branch. To write the change yourself use update_template.',
  toolset: 'templates',
  effect: 'external',
  job: true,
  scope: 'templates:write',
  rate: 'generate',
  rest: { route: 'POST /v1/templates/{template}/edit' },
  input: z.object({
    template: TemplateName,
    instruction: z.string().trim().min(1).max(4000),
    branch: BranchName.optional().meta({
      description: 'A Draft branch, begun when it is not there; unset: ai-1, ai-2…',
    }),
    from: Reference.optional().meta({ description: 'Where a new branch begins; unset: the head of main' }),
    ...modelChoice,
  }),
  output: z.object({
    template: z.string(),
    branch: z.string(),
    version: z.string(),
    diff: z.string().meta({ description: 'Unified' }),
    changed: z.array(z.string()).meta({ description: 'Fields that differ' }),
    lint: LintSummary.optional(),
    ...modelReport,
  }),
  run: async ({ template, ...input }, call) =>
    sayWritten(await call.app.templates.editing.edit(author(call), template, input, call), call.locale),
  examples: [
    {
      title: 'a friendlier subject, on a new branch',
      input: { template: 'welcome', instruction: 'Make the subject friendlier.', branch: 'friendlier' },
    },
  ],
});

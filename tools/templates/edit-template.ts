import { z } from 'zod';
import { BranchName, Reference, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { LintSummary, modelChoice, modelReport, presentDraft } from './generate-template.ts';
import { author } from './output.ts';

export const editTemplate = defineTool({
  name: 'edit_template',
  title: 'Edit a template with AI',
  description:
    'Change a stored template with an AI model from an instruction. Saves the result as a version on a draft branch, never on main. Review it with diff_versions, then use merge_branch. To edit it yourself, use update_template.',
  keywords: {
    en: [
      'rewrite the email with AI',
      'translate a template',
      'make it shorter',
      'change the tone',
      'improve the copy',
    ],
    es: [
      'reescribir con IA',
      'traducir la plantilla',
      'hacerlo más corto',
      'cambiar el tono',
      'mejorar el texto',
    ],
  },
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
      description: 'Draft branch, created if missing; default ai-1, ai-2…',
    }),
    from: Reference.optional().meta({ description: 'Where a new branch starts; default the head of main' }),
    ...modelChoice,
  }),
  output: z.object({
    template: z.string(),
    branch: z.string(),
    version: z.string(),
    diff: z.string().meta({ description: 'Unified diff' }),
    changed: z.array(z.string()).meta({ description: 'Fields that differ' }),
    lint: LintSummary.optional(),
    ...modelReport,
  }),
  run: async ({ template, ...input }, call) =>
    presentDraft(await call.app.templates.editing.edit(author(call), template, input, call), call),
  examples: [
    {
      title: 'A friendlier subject, on a new branch',
      input: { template: 'welcome', instruction: 'Make the subject friendlier.', branch: 'friendlier' },
    },
  ],
});

import { z } from 'zod';
import { Branch, BranchName, DEFAULT_BRANCH, Reference, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './output.ts';

export const createBranch = defineTool({
  name: 'create_branch',
  title: 'Create a branch',
  description:
    'Create a draft branch of a template, from the head of main or from another version, branch or environment. Save changes on it with update_template, then use merge_branch.',
  keywords: {
    en: [
      'branch off',
      'new draft',
      'try something without touching the live one',
      'separate working copy',
      'fork',
      'draft of a template',
      'experiment safely',
      'start a branch',
    ],
    es: [
      'nueva rama',
      'abrir una rama',
      'crear borrador',
      'trabajar sin tocar producción',
      'copia de trabajo',
      'borrador de una plantilla',
      'experimentar sin riesgo',
      'empezar una rama',
    ],
  },
  toolset: 'templates',
  effect: 'create',
  scope: 'templates:write',
  rest: { route: 'POST /v1/templates/{template}/branches' },
  input: z.object({
    template: TemplateName,
    name: BranchName,
    from: Reference.default(DEFAULT_BRANCH),
    description: z.string().max(500).default(''),
  }),
  output: Branch,
  run: ({ template, ...input }, call) => call.app.templates.branches.create(author(call), template, input),
  examples: [{ title: 'A holiday variant', input: { template: 'welcome', name: 'holiday' } }],
});

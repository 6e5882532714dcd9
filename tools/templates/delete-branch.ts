import { z } from 'zod';
import { BranchName, TemplateName } from '../../src/templates/schema.ts';
import { Deleted, defineTool } from '../contract/define.ts';
import { author } from './output.ts';
import { branchQuestion } from './questions.ts';

export const deleteBranch = defineTool({
  name: 'delete_branch',
  title: 'Delete a branch',
  description:
    'Delete a branch of a template. Its versions are kept. Fails if it has versions that are not on main, unless force=true.',
  keywords: {
    en: [
      'delete a draft',
      'abandon a draft',
      'throw away',
      'clean up merged branches',
      'draft is not needed',
    ],
    es: ['borrar un borrador', 'abandonar una rama', 'tirar', 'limpiar ramas', 'ya no necesito el borrador'],
  },
  toolset: 'templates',
  effect: 'delete',
  scope: 'templates:write',
  rest: { route: 'DELETE /v1/templates/{template}/branches/{branch}' },
  input: z.object({ template: TemplateName, branch: BranchName, force: z.boolean().default(false) }),
  output: Deleted,
  confirm: async ({ template, branch, force }, call) =>
    force ? branchQuestion(call, template, branch, 'delete_branch') : undefined,
  run: async ({ template, branch, force }, call) => {
    await call.app.templates.branches.remove(author(call), template, branch, force);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'A branch without changes',
      given: [['create_branch', { template: 'welcome', name: 'holiday' }]],
      input: { template: 'welcome', branch: 'holiday' },
    },
  ],
});

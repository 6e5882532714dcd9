import { z } from 'zod';
import { Branch, BranchName, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const getBranch = defineTool({
  name: 'get_branch',
  title: 'Get a branch',
  description:
    'Get a branch of a template: its head, where it started, and how many versions it is ahead of and behind main.',
  keywords: {
    en: ['branch status', 'ahead or behind main', 'where a branch started', 'head of a branch'],
    es: ['estado de una rama', 'adelantada o atrasada respecto a main', 'dónde empezó la rama'],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/branches/{branch}' },
  input: z.object({ template: TemplateName, branch: BranchName }),
  output: Branch,
  run: ({ template, branch }, { app, caller }) =>
    app.templates.branches.get(caller.accountId, template, branch),
  examples: [
    {
      title: 'A branch with a slash in its name',
      given: [['create_branch', { template: 'welcome', name: 'feature/footer' }]],
      input: { template: 'welcome', branch: 'feature/footer' },
    },
  ],
});

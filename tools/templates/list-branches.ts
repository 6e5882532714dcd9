import { z } from 'zod';
import { Branch, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const listBranches = defineTool({
  name: 'list_branches',
  title: 'List branches',
  description:
    'List the branches of a template, main first, with how many versions each is ahead of and behind main.',
  keywords: {
    en: ['open drafts', 'all branches', 'which branches are there'],
    es: ['borradores abiertos', 'todas las ramas', 'qué ramas hay'],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/branches' },
  input: z.object({ template: TemplateName }),
  output: z.object({ items: z.array(Branch) }),
  run: ({ template }, { app, caller }) => app.templates.branches.list(caller.accountId, template),
  examples: [
    {
      title: 'main and a draft',
      given: [['create_branch', { template: 'welcome', name: 'holiday' }]],
      input: { template: 'welcome' },
    },
  ],
});

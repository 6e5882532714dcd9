import { z } from 'zod';
import { BranchName, page, paging, TemplateName, Version } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';

export const listVersions = defineTool({
  name: 'list_versions',
  title: 'List versions',
  description: 'List the versions of a template, newest first, with who wrote them and why.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/versions' },
  input: z.object({ template: TemplateName, branch: BranchName.optional(), ...paging }),
  output: page(Version),
  run: ({ template, ...filter }, { app, caller }) =>
    app.templates.versions.list(caller.accountId, template, filter),
  examples: [{ title: 'the history of a starter', input: { template: 'welcome' } }],
});

import { z } from 'zod';
import { BranchName, TemplateName, Version } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listVersions = defineTool({
  name: 'list_versions',
  title: 'List versions',
  description:
    "List a template's versions, newest first, with author, message and the environments on each. Filter with branch. For one version's content, use get_version; to compare two, use diff_versions.",
  keywords: {
    en: [
      'version history',
      'revisions',
      'commits',
      'what has changed over time',
      'who saved what',
      'how often did it change',
      'who saved it',
      'all versions of a template',
    ],
    es: [
      'historial de versiones',
      'revisiones',
      'qué ha cambiado con el tiempo',
      'cambios guardados',
      'lista de versiones',
      'todas las versiones',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}/versions' },
  mcp: { view: ({ items, next_cursor }) => ({ items: items.map(shortened), next_cursor }) },
  input: z.object({ template: TemplateName, branch: BranchName.optional(), ...paging }),
  output: page(Version),
  run: ({ template, ...filter }, { app, caller }) =>
    app.templates.versions.list(caller.accountId, template, filter),
  examples: [{ title: 'The history of a starter template', input: { template: 'welcome' } }],
});

/** Characters of a message in a list; get_version tells all of it. */
const MESSAGE = 160;

/** What tells versions apart; get_version has the rest. */
function shortened({ version, branch, message, author, created_at, ...more }: z.output<typeof Version>) {
  const { alias, rolled_back_from, environments } = more;
  return {
    version,
    ...(alias !== undefined && { alias }),
    branch,
    message: message.length > MESSAGE ? `${message.slice(0, MESSAGE - 1)}…` : message,
    author,
    ...(rolled_back_from !== undefined && { rolled_back_from }),
    environments,
    created_at,
  };
}

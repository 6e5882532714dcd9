import { z } from 'zod';
import { Template, TemplateName, versionChoice } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { localizeWarnings } from './output.ts';

export const getTemplate = defineTool({
  name: 'get_template',
  title: 'Get a template',
  description:
    'Get a template: its variables, tags and the version each environment points to. Reads the head of main unless you pass version, environment or branch. Add include=html for the content. To fill it with data, use render_template.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{name}', etag: ({ etag }) => etag },
  mcp: { core: true },
  input: z.object({ name: TemplateName, ...versionChoice, include: z.enum(['html']).optional() }),
  output: Template,
  run: async ({ name, include, ...choice }, { app, caller, locale }) =>
    localizeWarnings(
      await app.templates.catalog.get(caller.accountId, name, choice, include === 'html'),
      locale,
    ),
  examples: [
    { title: 'A starter template', input: { name: 'welcome' } },
    {
      title: 'Its content in production',
      input: { name: 'welcome', environment: 'production', include: 'html' },
    },
  ],
});

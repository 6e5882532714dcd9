import { z } from 'zod';
import { Template, TemplateName, versionChoice } from '../../src/templates/schema.ts';
import { defineTool } from '../define.ts';
import { sayWarnings } from './answer.ts';

export const getTemplate = defineTool({
  name: 'get_template',
  title: 'Read a template',
  description:
    'Read a template: its variables, the version each environment shows, and with include=html its content. Reads the head of main unless version, environment or branch says otherwise.',
  toolset: 'templates',
  core: true,
  effect: 'read',
  scope: 'templates:read',
  route: 'GET /v1/templates/{name}',
  input: z.object({ name: TemplateName, ...versionChoice, include: z.enum(['html']).optional() }),
  output: Template,
  run: async ({ name, include, ...choice }, { app, caller, locale }) =>
    sayWarnings(await app.templates.catalog.get(caller.accountId, name, choice, include === 'html'), locale),
  etag: ({ etag }) => etag,
  examples: [
    { title: 'a starter template', input: { name: 'welcome' } },
    {
      title: 'its content in production',
      input: { name: 'welcome', environment: 'production', include: 'html' },
    },
  ],
});

import { z } from 'zod';
import type { InputKey } from '../../src/language.ts';
import { Template, TemplateName, versionChoice } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { localizeWarnings } from './output.ts';

export const getTemplate = defineTool({
  name: 'get_template',
  title: 'Get a template',
  description:
    "Get a template's variables, tags and the version each environment is on. Reads the head of main unless you pass version, environment or branch. include=html adds the content; lines and find read parts of it. To fill in data, use render_template.",
  keywords: {
    en: [
      'open an email',
      'read the html source',
      'which variables it takes',
      'show the source of an email',
      'see what an email says',
      'markup of a template',
    ],
    es: [
      'abrir un correo',
      'leer el código',
      'qué variables usa',
      'mostrar el html de un correo',
      'ver el contenido de una plantilla',
      'código fuente del correo',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates/{template}', etag: ({ etag }) => etag },
  mcp: { core: true, app: { name: 'mail' } },
  input: z.object({
    template: TemplateName,
    ...versionChoice,
    include: z.enum(['html']).optional(),
    lines: z
      .string()
      .regex(/^\d{1,6}(-\d{0,6})?$/, 'line_range' satisfies InputKey)
      .optional()
      .meta({ description: 'Such as 120-260' }),
    find: z.string().min(1).max(500).optional(),
  }),
  output: Template,
  run: async ({ template: name, include, lines, find, ...choice }, call) => {
    const { app, caller } = call;
    const isPart = lines !== undefined || find !== undefined;
    const show = isPart ? { lines, find } : include === 'html' ? 'content' : 'description';
    return localizeWarnings(await app.templates.catalog.get(caller.accountId, name, choice, show), call);
  },
  examples: [
    { title: 'A starter template', input: { template: 'welcome' } },
    {
      title: 'Its content in production',
      input: { template: 'welcome', environment: 'production', include: 'html' },
    },
    { title: 'The lines around a text', input: { template: 'welcome', find: 'name' } },
  ],
});

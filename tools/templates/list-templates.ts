import { z } from 'zod';
import { TemplateKind, TemplateName, TemplateSummary } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { nextLine, oneLine } from '../contract/lines.ts';
import { page, paging } from '../contract/page.ts';

export const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description:
    'List templates with the version each environment is on. q searches names and descriptions; variable finds the templates that read a variable, uses the email templates, not the video templates, that use a layout or partial. For variables and HTML, use get_template.',
  keywords: {
    en: [
      'my emails',
      'find a template',
      'which templates use a variable',
      'all emails I saved',
      'overview of templates',
    ],
    es: [
      'mis correos',
      'buscar una plantilla',
      'qué plantillas hay',
      'correos guardados',
      'todas las plantillas',
      'qué correos hay',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'GET /v1/templates' },
  mcp: {
    core: true,
    view: ({ items, next_cursor }) => [...items.map(lineOf), ...nextLine(next_cursor)].join('\n'),
  },
  input: z.object({
    q: z.string().max(200).optional(),
    tag: z.string().max(50).optional(),
    kind: TemplateKind.optional(),
    variable: z.string().min(1).max(200).optional(),
    uses: TemplateName.optional(),
    ...paging,
  }),
  output: page(TemplateSummary),
  run: (input, { app, caller }) => app.templates.catalog.list(caller.accountId, input),
  examples: [
    { title: 'All templates', input: {} },
    { title: 'Templates that read a variable', input: { variable: 'name' } },
    { title: 'Templates that use a partial', input: { uses: 'footer', limit: 2 } },
    { title: 'Layouts, one per page', input: { kind: 'layout', limit: 1 } },
  ],
});

function lineOf({
  name,
  kind,
  version,
  environments,
  description,
  tags,
}: z.output<typeof TemplateSummary>): string {
  const where = Object.entries(environments).map(([environment, at]) => `, ${environment} ${at}`);
  const what = kind === 'template' ? '' : ` (${kind})`;
  const about = [oneLine(description), tags.length > 0 ? `[${tags.join(', ')}]` : '']
    .filter(Boolean)
    .join(' ');
  return `${name}${what} ${version}${where.join('')}${about && `: ${about}`}`;
}

import { z } from 'zod';
import { ExportFormat, PrintOptions } from '../../src/templates/export/export.ts';
import { Data, FixtureName, TemplateName, Warning } from '../../src/templates/schema.ts';
import { defineTool } from '../define.ts';
import { Delivered } from '../delivered.ts';
import { sayWarnings } from './answer.ts';
import { finishOptions, renderOptions, toRenderInput } from './render-template.ts';

export const exportTemplate = defineTool({
  name: 'export_template',
  title: 'Export a mail',
  description:
    'Render a stored template and answer it as a file: PDF, html, plain text, a PNG picture, an eml draft to open in a mail program, or a zip of its parts.',
  toolset: 'templates',
  core: true,
  effect: 'read',
  scope: 'templates:render',
  route: 'POST /v1/export',
  delivers: true,
  job: true,
  input: z.object({
    template: TemplateName,
    format: ExportFormat,
    ...renderOptions,
    inline_css: finishOptions.inline_css,
    minify: finishOptions.minify,
    data: Data.optional(),
    fixture: FixtureName.optional().meta({ description: 'Stored sample data instead of data' }),
    options: PrintOptions.prefault({}).meta({ description: 'Of a PDF' }),
  }),
  output: Delivered.extend({
    pages: z.number().optional(),
    version: z.string().optional(),
    warnings: z.array(Warning),
  }),
  run: async ({ options, format, ...input }, { app, caller, locale, signal, deliver }) => {
    const request = { ...toRenderInput(input), format, print: options, signal };
    const { file, pages, rendered, warnings } = await app.templates.export.run(caller.accountId, request);
    const delivered = await deliver(file);
    const { version } = rendered;
    return sayWarnings({ ...delivered, ...(pages !== undefined && { pages }), version, warnings }, locale);
  },
  view: ({ filename, bytes, pages, url, expires_at, warnings }) =>
    [
      `${filename}, ${bytes} bytes${pages === undefined ? '' : `, ${pages} pages`}: ${url} (until ${expires_at})`,
      ...warnings.map(({ message }) => `- ${message}`),
    ].join('\n'),
  examples: [
    { title: 'the receipt as a PDF', input: { template: 'receipt', format: 'pdf', fixture: 'sample' } },
    {
      title: 'A5 pages with their numbers',
      input: {
        template: 'receipt',
        format: 'pdf',
        fixture: 'sample',
        options: { page_size: 'A5', margin: '15mm', footer: '<span class="pageNumber"></span>' },
      },
    },
    { title: 'the words alone', input: { template: 'welcome', format: 'text', data: { name: 'Ana' } } },
  ],
});

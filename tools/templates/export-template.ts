import { z } from 'zod';
import { ExportFormat, PrintOptions } from '../../src/templates/output-choices.ts';
import { Data, FixtureName, TemplateName, Warning } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { productFiller } from '../contract/fill-products.ts';
import { localizeWarnings } from './output.ts';
import { finishOptions, renderOptions, TypeMismatches, toRenderInput } from './render-template.ts';

export const exportTemplate = defineTool({
  name: 'export_template',
  title: 'Export a template',
  description:
    'Render a stored template as a file, such as a PDF or an EML draft. Returns the file or a download link. For screenshots, use preview_template; for HTML as text, use render_template.',
  keywords: {
    en: [
      'save as pdf',
      'print',
      'download as html, png, eml or zip',
      'attachment',
      'email as a file',
      'pdf of an invoice or receipt email',
    ],
    es: [
      'exportar a pdf',
      'guardar como pdf',
      'imprimir',
      'descargar el html',
      'adjunto',
      'correo como archivo',
      'factura o recibo en pdf',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:render',
  rest: { route: 'POST /v1/export', sendsFile: true },
  mcp: {
    core: true,
    view: ({ filename, bytes, pages, url, expires_at, missing_variables: missing, warnings }) =>
      [
        `${filename}, ${bytes} bytes${pages === undefined ? '' : `, ${pages} ${pages === 1 ? 'page' : 'pages'}`}: ${url} (until ${expires_at})`,
        ...(missing.length > 0 ? [`- Missing variables, left empty: ${missing.join(', ')}`] : []),
        ...warnings.map(({ message }) => `- ${message}`),
      ].join('\n'),
  },
  job: true,
  input: z.object({
    template: TemplateName,
    format: ExportFormat,
    ...renderOptions,
    inline_css: finishOptions.inline_css,
    minify: finishOptions.minify,
    data: Data.optional(),
    fixture: FixtureName.optional().meta({ description: 'Stored sample data, instead of data' }),
    options: PrintOptions.prefault({}).meta({ description: 'Layout of a PDF' }),
  }),
  output: Delivered.extend({
    pages: z.number().optional(),
    version: z.string().optional(),
    missing_variables: z.array(z.string()),
    type_mismatches: TypeMismatches,
    warnings: z.array(Warning),
  }),
  run: async ({ options, format, ...input }, call) => {
    const { app, caller, signal, jobId, deliver } = call;
    const inJob = jobId !== undefined;
    const data = await productFiller(call)(input.data);
    const request = { ...toRenderInput({ ...input, data }), format, print: options, signal, inJob };
    const { file, pages, rendered, warnings } = await app.templates.export.run(caller.accountId, request);
    const delivered = await deliver(file);
    const { version, missing_variables, type_mismatches } = rendered;
    const found = { version, missing_variables, type_mismatches, warnings };
    return localizeWarnings({ ...delivered, ...(pages !== undefined && { pages }), ...found }, call);
  },
  examples: [
    { title: 'The receipt as a PDF', input: { template: 'receipt', format: 'pdf', fixture: 'sample' } },
    {
      title: 'A5 pages with page numbers',
      input: {
        template: 'receipt',
        format: 'pdf',
        fixture: 'sample',
        options: { page_size: 'A5', margin: '15mm', footer: '<span class="pageNumber"></span>' },
      },
    },
    { title: 'Plain text', input: { template: 'welcome', format: 'text', data: { name: 'Ana' } } },
  ],
});

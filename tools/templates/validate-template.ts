import { z } from 'zod';
import { Data, Document, TemplateKind, Variable } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { LintReport, presentReport } from './lint-template.ts';
import { localizeDetails } from './output.ts';

export const validateTemplate = defineTool({
  name: 'validate_template',
  title: 'Validate a template',
  description:
    'Check unsaved template content without storing it. Returns syntax errors and unsafe expressions by line and column, its variables, sample data that renders it, and lint findings. To check a stored template, use lint_template.',
  keywords: {
    en: ['check html syntax before saving', 'is my html valid', 'parse errors', 'does this markup compile'],
    es: ['validar sintaxis', 'comprobar el html antes de guardar', 'errores de sintaxis'],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:read',
  rest: { route: 'POST /v1/validate' },
  input: z.object({ ...Document.shape, kind: TemplateKind.default('template') }),
  output: z.object({
    valid: z.boolean(),
    errors: z.array(
      z.object({
        field: z.string(),
        code: z.string(),
        message: z.string(),
        line: z.number().optional(),
        col: z.number().optional(),
      }),
    ),
    variables: z.array(Variable),
    suggested_data: Data,
    lint: LintReport.optional().meta({
      description: 'Lint report of a valid template filled with suggested_data',
    }),
  }),
  run: async ({ kind, ...content }, call) => {
    const { app, caller, locale, signal } = call;
    const { lint, ...answer } = await app.templates.validation.validate(
      { accountId: caller.accountId, signal },
      kind,
      content,
    );
    return { ...localizeDetails(answer, call), ...(lint && { lint: presentReport(lint, locale) }) };
  },
  examples: [
    { title: 'Valid content', input: { html: '<p>{{#each items}}{{name}} {{/each}}</p>' } },
    { title: 'A block that never ends', input: { html: '<p>\n{{#if vip}}</p>' } },
  ],
});

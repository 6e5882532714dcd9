import { z } from 'zod';
import { type Locale, localizeFinding } from '../../src/language.ts';
import type { LintReport as Report } from '../../src/templates/lint/lint.ts';
import {
  Data,
  DataSchema,
  Document,
  FixtureName,
  TemplateName,
  Warning,
} from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';
import { localizeWarnings } from './output.ts';
import { brandChoice, renderOptions, TypeMismatches } from './render-template.ts';

const { on_missing: _, ...renderChoice } = { ...renderOptions, ...brandChoice };

const Finding = z.object({
  rule: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  fix: z.string(),
  line: z.number().optional(),
  col: z.number().optional(),
  count: z.number().optional().meta({ description: 'Number of places, if more than one' }),
  clients: z.array(z.string()).optional(),
});

export const LintReport = z.object({
  score: z.number().meta({ description: '100 without errors and warnings, down to 0' }),
  findings: z.array(Finding).meta({ description: 'Errors first; line numbers refer to the rendered HTML' }),
  size: z.object({ bytes: z.number(), clip_at: z.number() }),
});

/** A report with its findings in the caller's language. */
export function presentReport({ findings, ...report }: Report, locale: Locale) {
  return { ...report, findings: findings.map((finding) => localizeFinding(finding, locale)) };
}

export const lintTemplate = defineTool({
  name: 'lint_template',
  title: 'Lint a template',
  description:
    'Check a stored template, or unsaved HTML, for problems in email clients: size (Gmail clipping), broken links and images, accessibility, spam signs, unsupported CSS. Returns a score and findings with fixes. Uses sample data unless you send data or fixture.',
  keywords: {
    en: [
      'will gmail clip it',
      'spam score',
      'outlook problems',
      'broken links',
      'accessibility',
      'email clients',
      'too large',
      'check an email before sending',
      'displays correctly in outlook',
    ],
    es: [
      'revisar el correo',
      'spam',
      'problemas en outlook y gmail',
      'enlaces rotos',
      'accesibilidad',
      'gmail lo corta',
      'pesa demasiado',
      'se ve bien en outlook',
      'comprobar antes de enviar',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:render',
  rest: { route: 'POST /v1/lint' },
  input: z.object({
    template: TemplateName.optional(),
    html: Document.shape.html.optional(),
    text: Document.shape.text,
    subject: Document.shape.subject,
    preheader: Document.shape.preheader,
    format: Document.shape.format,
    schema: DataSchema.optional(),
    layout: TemplateName.optional(),
    ...renderChoice,
    data: Data.optional(),
    fixture: FixtureName.optional().meta({ description: 'Stored sample data, instead of data' }),
    clients: z
      .array(z.string().max(60))
      .max(60)
      .optional()
      .meta({ description: 'Email clients to check, such as gmail or outlook.windows' }),
    rules: z
      .array(z.string().max(60))
      .max(60)
      .optional()
      .meta({ description: 'Rule IDs to check, such as img-alt; default all' }),
  }),
  output: LintReport.extend({
    missing_variables: z.array(z.string()),
    type_mismatches: TypeMismatches,
    warnings: z.array(Warning),
  }),
  run: async (input, call) => {
    const { app, caller, locale, signal } = call;
    const { html, text, subject, preheader, format, schema, layout, clients, rules, ...choice } = input;
    const unsaved =
      html === undefined ? undefined : { html, text, subject, preheader, format, schema, layout };
    const data = await productFiller(call)(input.data);
    const mail = { ...choice, data, unsaved, onMissing: 'fallback', signal } as const;
    const options = { clients, rules };
    const { report, rendered } = await app.templates.linting.lintTemplate(caller.accountId, mail, options);
    const { missing_variables, type_mismatches, warnings } = rendered;
    const found = { missing_variables, type_mismatches, warnings };
    return localizeWarnings({ ...presentReport(report, locale), ...found }, call);
  },
  examples: [
    { title: 'A fixture of the receipt', input: { template: 'receipt', fixture: 'sample' } },
    {
      title: 'Unsaved HTML, for one client',
      input: { html: '<p style="display:flex"><img src="logo.png"></p>', clients: ['outlook'] },
    },
    { title: 'One rule', input: { template: 'welcome', data: { name: 'Ana' }, rules: ['contrast'] } },
  ],
});

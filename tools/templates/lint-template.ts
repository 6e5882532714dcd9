import { z } from 'zod';
import { type Locale, localizeFinding } from '../../src/language.ts';
import type { LintReport as Report } from '../../src/templates/lint/lint.ts';
import { Data, DataSchema, Document, FixtureName, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../define.ts';
import { renderOptions } from './render-template.ts';

const { on_missing: _, ...renderChoice } = renderOptions;

const Finding = z.object({
  rule: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  fix: z.string(),
  line: z.number().optional(),
  col: z.number().optional(),
  count: z.number().optional().meta({ description: 'In how many places, when in more than one' }),
  clients: z.array(z.string()).optional(),
});

export const LintReport = z.object({
  score: z.number().meta({ description: '100 without errors and warnings, down to 0' }),
  findings: z.array(Finding).meta({ description: 'Errors first; lines are those of the rendered html' }),
  size: z.object({ bytes: z.number(), clip_at: z.number() }),
});

/** A report with its findings in the caller's language. */
export function sayReport({ findings, ...report }: Report, locale: Locale) {
  return { ...report, findings: findings.map((finding) => localizeFinding(finding, locale)) };
}

export const lintTemplate = defineTool({
  name: 'lint_template',
  title: 'Lint a template',
  description:
    'Render a stored template, or unsaved html, and say what would go wrong with the mail: size, broken links and images, accessibility, spam signs, and features that mail clients lack. Without data or fixture it is filled with sample data.',
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:render',
  route: 'POST /v1/lint',
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
    fixture: FixtureName.optional().meta({ description: 'Stored sample data instead of data' }),
    clients: z
      .array(z.string().max(60))
      .max(60)
      .optional()
      .meta({ description: 'Mail clients to ask about, such as gmail or outlook.windows' }),
    rules: z
      .array(z.string().max(60))
      .max(60)
      .optional()
      .meta({ description: 'Ids of the rules to follow, such as img-alt; all when left out' }),
  }),
  output: LintReport,
  run: async (input, { app, caller, locale, signal }) => {
    const { html, text, subject, preheader, format, schema, layout, clients, rules, ...choice } = input;
    const unsaved =
      html === undefined ? undefined : { html, text, subject, preheader, format, schema, layout };
    const mail = { ...choice, unsaved, onMissing: 'fallback', signal } as const;
    const report = await app.templates.linting.lintTemplate(caller.accountId, mail, { clients, rules });
    return sayReport(report, locale);
  },
  examples: [
    { title: 'a fixture of the receipt', input: { template: 'receipt', fixture: 'sample' } },
    {
      title: 'unsaved html, for one client',
      input: { html: '<p style="display:flex"><img src="logo.png"></p>', clients: ['outlook'] },
    },
    { title: 'one rule', input: { template: 'welcome', data: { name: 'Ana' }, rules: ['contrast'] } },
  ],
});

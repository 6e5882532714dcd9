import { z } from 'zod';
import { Data, Document, TemplateKind, Variable } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { sayDetails } from './answer.ts';
import { LintReport, sayReport } from './lint-template.ts';

export const validateTemplate = defineTool({
  name: 'validate_template',
  title: 'Validate unsaved content',
  description:
    'Check content without storing it: what does not parse or is unsafe, by line and column, the variables it takes, sample data that renders it, and what lint says about the result.',
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
    lint: LintReport.optional().meta({ description: 'Of a valid template filled with that data' }),
  }),
  run: async ({ kind, ...content }, { app, caller, locale, signal }) => {
    const { lint, ...answer } = await app.templates.validation.validate(
      { accountId: caller.accountId, signal },
      kind,
      content,
    );
    return { ...sayDetails(answer, locale), ...(lint && { lint: sayReport(lint, locale) }) };
  },
  examples: [
    { title: 'content that is fine', input: { html: '<p>{{#each items}}{{name}} {{/each}}</p>' } },
    { title: 'a block that never ends', input: { html: '<p>\n{{#if vip}}</p>' } },
  ],
});

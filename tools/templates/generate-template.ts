import { z } from 'zod';
import { Usage } from '../../src/ai/ai.ts';
import { PROVIDER_CHOICES } from '../../src/ai/providers.ts';
import type { InputKey, Reader, Warning as Warned } from '../../src/language.ts';
import type { LintReport as Report } from '../../src/templates/lint/lint.ts';
import { BranchName, Data, TemplateName, Variable, Warning } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { presentReport } from './lint-template.ts';
import { author, environmentsOf, localizeWarnings } from './output.ts';

/** The AI provider and model that write. */
export const modelChoice = {
  provider: z.enum(PROVIDER_CHOICES).optional(),
  model: z.string().min(1).max(200).optional(),
};

/** How an answer came about: usage is that of all attempts, cost null when the operator gave no prices. */
export const modelReport = {
  provider: z.string(),
  model: z.string(),
  usage: Usage,
  attempts: z.number(),
  warnings: z.array(Warning),
};

// The whole shape stands with lint_template; here it would cost every list of tools its tokens.
export const LintSummary = z.looseObject({ score: z.number() });

/** A written mail with its warnings and findings in the caller's language. */
export function presentDraft<Mail extends { warnings: readonly Warned[]; lint?: Report | undefined }>(
  mail: Mail,
  reader: Reader,
) {
  const { lint, ...rest } = localizeWarnings(mail, reader);
  return { ...rest, ...(lint && { lint: presentReport(lint, reader.locale) }) };
}

const hexColor = z
  .string()
  .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'hex_color' satisfies InputKey)
  .meta({ description: 'Such as #12543f' });

const Brand = z.strictObject({
  name: z.string().max(100).optional(),
  colors: z.array(hexColor).max(8).optional(),
  logo_url: z
    .url({ protocol: /^https$/, error: 'https_address' satisfies InputKey })
    .max(2000)
    .optional(),
  tone: z.string().max(300).optional(),
  font: z.string().max(100).optional(),
});

const WantedVariable = z.strictObject({
  name: z
    .string()
    .regex(/^[\p{L}_][\p{L}\p{N}_.[\]-]{0,99}$/u, 'variable_name' satisfies InputKey)
    .meta({ description: 'Such as name or items[].price' }),
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']).optional(),
  description: z.string().max(300).optional(),
});

const Language = z
  .string()
  .max(35)
  .refine(isLanguage, 'language_tag' satisfies InputKey)
  .meta({ description: 'Such as es-MX' });

export const generateTemplate = defineTool({
  name: 'generate_template',
  title: 'Generate a template with AI',
  description:
    "Generate an email template from a prompt with the server's AI provider. Returns HTML, text, subject, variables, sample data and lint findings; stores it only with save. If you can write HTML, use create_template. To change a stored one, use edit_template.",
  keywords: {
    en: ['write an email with AI', 'design a mail from a prompt', 'draft an email for me'],
    es: ['escribir un correo con IA', 'diseñar un correo', 'generar un correo', 'redactar'],
  },
  toolset: 'templates',
  effect: 'external',
  job: true,
  scope: 'templates:write',
  rate: 'generate',
  rest: { route: 'POST /v1/generate' },
  mcp: { core: true },
  input: z.object({
    prompt: z.string().trim().min(1).max(4000),
    ...modelChoice,
    brand: Brand.optional(),
    variables: z.array(WantedVariable).max(50).optional(),
    base_template: TemplateName.optional(),
    language: Language.optional(),
    save: z
      .strictObject({ name: TemplateName, branch: BranchName.optional() })
      .optional()
      .meta({ description: 'A new name, or an existing template and a draft branch' }),
  }),
  output: z.object({
    html: z.string(),
    css: z.string(),
    text: z.string(),
    subject: z.string(),
    preheader: z.string(),
    layout: z.string().optional(),
    schema: z.looseObject({}).optional(),
    variables: z.array(Variable.extend({ example: z.unknown().optional() })),
    sample_data: Data,
    lint: LintSummary.optional(),
    ...modelReport,
    saved: z.object({ template: z.string(), version: z.string(), branch: z.string() }).optional(),
  }),
  run: async ({ base_template, ...input }, call) => {
    const generated = await call.app.templates.generating.generate(
      author(call),
      {
        ...input,
        baseTemplate: base_template,
        environments: environmentsOf(undefined, call, 'generate_template'),
      },
      call,
    );
    return presentDraft(generated, call);
  },
  examples: [
    {
      title: 'A welcome email in brand colors',
      input: {
        prompt: 'Welcome a new customer and invite them to set up their account.',
        brand: { name: 'Fern & Clay', colors: ['#12543f'] },
        variables: [{ name: 'first_name' }],
        language: 'en',
      },
    },
  ],
});

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

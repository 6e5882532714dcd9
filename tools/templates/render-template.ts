import { z } from 'zod';
import { OnMissing } from '../../src/templates/output-choices.ts';
import {
  Data,
  DataSchema,
  Document,
  EnvironmentName,
  FixtureName,
  TemplateName,
  versionChoice,
  Warning,
} from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { productFiller } from '../contract/fill-products.ts';
import { localizeWarnings } from './output.ts';

/** Options that are the same for every email of a call. */
export const renderOptions = {
  ...versionChoice,
  locale: z.string().max(35).optional().meta({ description: 'For dates and numbers, such as es-MX' }),
  on_missing: OnMissing.default('fallback'),
};

/** Which of the account's brands `@brand` is; the default one when absent. */
export const brandChoice = {
  brand: z.string().max(40).optional().meta({ description: 'Brand for @brand, if there are several' }),
};

/** Steps that are applied to each filled email. */
export const finishOptions = {
  inline_css: z.boolean().default(false).meta({ description: 'Move CSS into style attributes' }),
  minify: z.boolean().default(false).meta({ description: 'Remove comments and extra whitespace' }),
  plain_text: z
    .boolean()
    .default(false)
    .meta({ description: 'Create plain text from the HTML if there is none' }),
};

/** Values that are not of the type of their variable. */
export const TypeMismatches = z
  .array(z.object({ name: z.string(), expected: z.string(), got: z.string() }))
  .meta({ description: 'Values whose type differs from the schema' });

export const Rendered = z.object({
  template: z.string().optional(),
  version: z.string().optional(),
  environment: EnvironmentName.optional(),
  branch: z.string().optional(),
  html: z.string(),
  text: z.string().nullable(),
  subject: z.string().nullable(),
  preheader: z.string().nullable(),
  missing_variables: z.array(z.string()),
  unused_variables: z.array(z.string()),
  defaulted_variables: z.array(z.string()),
  type_mismatches: TypeMismatches,
  warnings: z.array(Warning),
  bytes: z.number(),
  render_ms: z.number(),
});

export const renderTemplate = defineTool({
  name: 'render_template',
  title: 'Render a template',
  description:
    'Fill a stored template or unsaved HTML with data. Returns HTML, plain text, subject, preheader, missing and unused variables. Sends no email. Uses the production version unless you pass version, environment or branch. For a PDF or image, use export_template.',
  keywords: {
    en: [
      'fill in variables',
      'personalize an email for a customer',
      'show the final html',
      'merge tags',
      'put the name of a customer in',
      'email with real data',
    ],
    es: [
      'personalizar el correo',
      'rellenar las variables',
      'ver el html final',
      'correo para un cliente',
      'poner el nombre del cliente',
      'correo con datos reales',
      'resultado final',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:render',
  rest: {
    route: 'POST /v1/render',
    formats: { 'text/html': ({ html }) => html },
    // The rest of an unsaved template: an editor shows it as it would be once saved.
    extraInput: {
      ...brandChoice,
      css: Document.shape.css,
      preheader: Document.shape.preheader,
      text: Document.shape.text,
    },
  },
  mcp: { core: true, app: { name: 'mail' } },
  input: z.object({
    template: TemplateName.optional(),
    html: Document.shape.html.optional(),
    subject: Document.shape.subject,
    schema: DataSchema.optional(),
    format: Document.shape.format,
    layout: TemplateName.optional(),
    ...renderOptions,
    ...finishOptions,
    data: Data.optional(),
    fixture: FixtureName.optional().meta({ description: 'Stored sample data, instead of data' }),
  }),
  output: Rendered,
  run: async ({ html, subject, schema, format, layout, css, preheader, text, ...input }, call) => {
    const { app, caller, signal } = call;
    const document = { html, subject, schema, format, layout, css, preheader, text };
    const unsaved = html === undefined ? undefined : document;
    const data = await productFiller(call)(input.data);
    const options = { ...toRenderInput({ ...input, data }), unsaved, signal };
    return localizeWarnings(await app.templates.rendering.render(caller.accountId, options), call);
  },
  examples: [
    { title: 'The welcome email', input: { template: 'welcome', data: { name: 'Ana' } } },
    { title: 'A fixture of the receipt', input: { template: 'receipt', fixture: 'sample', locale: 'es' } },
    {
      title: 'Ready to send',
      input: { template: 'receipt', fixture: 'sample', inline_css: true, minify: true, plain_text: true },
    },
    { title: 'Unsaved HTML', input: { html: '<p>Hello {{name}}</p>', data: { name: 'Ana', age: 30 } } },
  ],
});

type Options = {
  readonly on_missing: OnMissing;
  readonly inline_css: boolean;
  readonly minify: boolean;
  readonly plain_text?: boolean;
};

/** The options as rendering takes them. */
export function toRenderInput<Input extends Options>(input: Input) {
  const { on_missing, inline_css, plain_text, ...rest } = input;
  return { ...rest, onMissing: on_missing, inlineCss: inline_css, plainText: plain_text };
}

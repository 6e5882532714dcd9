import type { Prompts } from '../../ai/prompts.ts';
import type { ProviderChoice } from '../../ai/providers.ts';
import { Fault } from '../../errors.ts';
import { helperDocs } from '../engine/engine.ts';
import type { Document, EnvironmentName } from '../schema.ts';
import type { presentProblems } from './review-draft.ts';

/** Which outside model writes; the operator's first when absent. */
export type ModelChoice = {
  readonly provider?: ProviderChoice | undefined;
  readonly model?: string | undefined;
};

/** Whom the email is from: as the caller says it, or the account's brand, which may also say how it sounds. */
export type Brand = {
  readonly name?: string | undefined;
  readonly colors?: readonly string[] | undefined;
  readonly logo_url?: string | undefined;
  readonly tone?: string | undefined;
  readonly font?: string | undefined;
  readonly voice?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  readonly address?: string | undefined;
  readonly footer?: string | undefined;
};

type WantedVariable = {
  readonly name: string;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
};

export type GenerationInput = ModelChoice & {
  readonly prompt: string;
  readonly brand?: Brand | undefined;
  readonly variables?: readonly WantedVariable[] | undefined;
  readonly baseTemplate?: string | undefined;
  readonly language?: string | undefined;
  readonly save?: { readonly name: string; readonly branch?: string | undefined } | undefined;
  /** The environments that show a new template saved. */
  readonly environments: readonly EnvironmentName[];
};

/** The request as the model gets it, with the template or layout it starts from. */
export function requestOf(input: GenerationInput, base: { kind: string; shown: object } | undefined) {
  const { prompt, brand, variables, language } = input;
  return {
    wish: prompt,
    ...(language && { language }),
    ...(brand && { brand }),
    ...(variables && { variables }),
    ...(base && { [base.kind === 'layout' ? 'layout' : 'start_from']: base.shown }),
  };
}

/** Every text in which an address may stand that the model did not make up. */
export function givenText(
  { prompt, brand, variables }: GenerationInput,
  shown: Readonly<Record<string, string>> = {},
): string {
  return [prompt, brand?.logo_url, brand?.footer, JSON.stringify(variables), ...Object.values(shown)].join(
    '\n',
  );
}

/** The properties of the email that change the instructions. */
type Circumstances = {
  /** Whether a layout stands around the email. */
  readonly framed: boolean;
  readonly kind?: string;
  readonly format?: Document['format'] | undefined;
};

/** The instructions to write, edit and fix emails. Nothing a caller sends becomes part of these texts. */
export function createEmailPrompts(prompts: Prompts) {
  return {
    instructions(
      name: 'generate-template' | 'edit-template',
      { framed, kind = 'template', format }: Circumstances,
    ): string {
      const rules = prompts.fill('mail-rules', { framed, mjml: format === 'mjml', helpers: helperDocs });
      return prompts.fill(name, { framed, rules, isTemplate: kind === 'template', kind });
    },

    repair(problems: ReturnType<typeof presentProblems>): string {
      return prompts.fill('repair', { problems: JSON.stringify(problems, null, 1) });
    },
  };
}

/** A model rewrites the whole, and more than this does not fit into one answer. */
const MAX_REQUEST_BYTES = 48 * 1024;

/** The texts of a document as a model is shown them. @throws Fault too_large.model */
export function fieldsOf({ html, css = '', text = '', subject = '', preheader = '' }: Document) {
  const fields = { subject, preheader, html, css, text };
  const bytes = Object.values(fields).reduce((sum, field) => sum + Buffer.byteLength(field), 0);
  if (bytes > MAX_REQUEST_BYTES) throw new Fault('too_large.model', { bytes, limit: MAX_REQUEST_BYTES });
  return fields;
}

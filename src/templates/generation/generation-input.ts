import type { ProviderChoice } from '../../ai/providers.ts';

/** Which outside model writes; the operator's first when absent. */
export type ModelChoice = {
  readonly provider?: ProviderChoice | undefined;
  readonly model?: string | undefined;
};

type Brand = {
  readonly name?: string | undefined;
  readonly colors?: readonly string[] | undefined;
  readonly logo_url?: string | undefined;
  readonly tone?: string | undefined;
  readonly font?: string | undefined;
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
};

/** What a model is told of a wish, with what the mail starts from. */
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
  return [prompt, brand?.logo_url, JSON.stringify(variables), ...Object.values(shown)].join('\n');
}

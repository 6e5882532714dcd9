import type { FaultParams } from './errors.ts';

/** Arguments of a call that a message names. */
export type CallInput = Readonly<Record<string, string | number | boolean>>;

/** How a message names a call: as the reader writes it, or why the reader can't make it. */
export type NamedCall =
  | { readonly text: string }
  /** Only a person may make it, on the page at `url`. */
  | { readonly person: string; readonly url: string }
  /** The operation is not among those of this conversation. */
  | { readonly unavailable: string };

/**
 * Names operations as the callers of one transport do. Sentences are the same for all of them, but for those that the
 * locales have in `over_mcp` and `over_web`.
 */
export type Voice = {
  readonly transport: 'rest' | 'mcp' | 'web' | 'any';
  /** The call of an operation with these arguments. Those that are not known are left open. */
  readonly call: (tool: string, input: CallInput) => NamedCall;
  /** The operation itself. */
  readonly operation: (tool: string) => string;
};

/** For readers of no known transport, as those of an email, a cell or the log: operations go by their names. */
export const plainVoice: Voice = {
  transport: 'any',
  call: (tool) => ({ text: tool }),
  operation: (tool) => tool,
};

/** For people in the web client: every sentence with a call has another in `over_web`, which says what to press. */
export const webVoice: Voice = { ...plainVoice, transport: 'web' };

/**
 * A call as sentences have it: `call:list_versions template:name limit=5` has the parameter `name` as its argument
 * `template`, and 5 as `limit`. An argument alone is the parameter of the same name.
 */
export type CallForm = {
  readonly tool: string;
  /** Arguments and the parameters that they are. */
  readonly named: readonly (readonly [argument: string, param: string])[];
  readonly fixed: CallInput;
};

export function parseCall(form: string): CallForm {
  const [tool = '', ...words] = form.replace(/^call:/, '').split(' ');
  const [fixed, named] = [
    words.filter((word) => word.includes('=')),
    words.filter((word) => !word.includes('=')),
  ];
  return {
    tool,
    named: named.map((word) => {
      const [argument = word, param = argument] = word.split(':');
      return [argument, param];
    }),
    fixed: Object.fromEntries(
      fixed.map((word) => {
        const [argument = '', value = ''] = word.split('=');
        return [argument, fixedValue(value)];
      }),
    ),
  };
}

/** The arguments of a call, as far as the parameters of its sentence tell them. */
export function inputOf({ named, fixed }: CallForm, params: FaultParams): CallInput {
  const known = named.flatMap(([argument, param]) => {
    const value = params[param];
    return value === undefined ? [] : [[argument, value] as const];
  });
  return { ...Object.fromEntries(known), ...fixed };
}

function fixedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

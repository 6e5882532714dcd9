import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault, type FaultParams } from '../../src/errors.ts';
import type { QuestionKey } from '../../src/language.ts';
import type { Call, Tool } from './define.ts';

/** What a person is asked before a model's call takes effect. */
export type Question = {
  /** The sentence, in `questions` of the locales. */
  readonly key: QuestionKey;
  readonly params?: FaultParams;
  /** What it would change, in short: lines of a diff, or counts. */
  readonly shown?: string | Readonly<Record<string, unknown>>;
  /** The call itself carries the id of what was shown before, so a client that cannot ask needs no second one. */
  readonly named?: true;
};

/** A call that waits for a person. */
export type Asked = {
  readonly tool: Tool;
  readonly input: unknown;
  readonly question: Question;
  /** What the model sent along as `confirmation`. */
  readonly confirmation: string | undefined;
};

const Accepted = z.object({ action: z.literal('accept'), content: z.object({ confirm: z.literal(true) }) });

/** The content of a form in which the person agreed. */
export const AGREED = { action: 'accept', content: { confirm: true } } as const;

/** A name for a question, derived from its text: another text has another name. */
export function keyOf({ tool, input, question }: Omit<Asked, 'confirmation'>): string {
  const told = createHash('sha256').update(JSON.stringify([tool.name, input, question]));
  return `ask_${told.digest('base64url').slice(0, 22)}`;
}

/** Whether what a client sent for the person says that they agree. */
export function agrees(answer: unknown): boolean {
  return Accepted.safeParse(answer).success;
}

/** The argument by which a model carries the id of a question, beside those of the tool. */
export const CONFIRMATION = 'confirmation';

/** The arguments of the tool itself, and the id that came with them. */
export function splitConfirmation(
  { confirm }: Tool,
  raw: unknown,
  { byModel }: Call,
): { readonly raw: unknown; readonly confirmation: string | undefined } {
  if (!confirm || !byModel || typeof raw !== 'object' || raw === null)
    return { raw, confirmation: undefined };
  const { [CONFIRMATION]: carried, ...own } = raw as Readonly<Record<string, unknown>>;
  return { raw: own, confirmation: typeof carried === 'string' ? carried : undefined };
}

/**
 * Requires that a person confirms a model's call before it takes effect.
 * @throws Fault confirmation_required, and what the transport throws to ask
 */
export async function requireConfirmed(
  tool: Tool,
  input: never,
  confirmation: string | undefined,
  call: Call,
): Promise<void> {
  if (!tool.confirm || !call.byModel) return;
  const question = await tool.confirm(input, call);
  if (!question) return;
  if (!call.ask) throw new Fault('confirmation_required.unreachable', { tool: tool.name });
  await call.ask({ tool, input, question, confirmation });
}

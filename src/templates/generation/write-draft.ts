import type { Message, Usage, Writer } from '../../ai/ai.ts';
import type { Payer } from '../../ai/spending.ts';
import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { AcceptedDraft, Assessment } from './assess.ts';
import { EmailDraft } from './draft.ts';
import { type UnitQuota, withUnits } from './metering.ts';
import { type Problem, presentProblems } from './review-draft.ts';

/** Reports progress and the model's text to the caller, whose signal cancels the generation. */
export type GenerationCaller = {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
  readonly text: (piece: string) => void;
  /** Whose account pays. */
  readonly caller: Payer;
};

export type DraftRequest = {
  readonly writer: Writer;
  readonly model?: string | undefined;
  readonly instructions: string;
  /** The caller's wish. It goes to the model as one JSON object, so that no text in it can pass for instructions. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
  /** The user's turn that tells the model what is wrong with its answer. */
  readonly repair: (problems: ReturnType<typeof presentProblems>) => string;
  readonly assess: (answer: EmailDraft) => Promise<Assessment>;
  /** Pays for what the model writes. */
  readonly quota: UnitQuota;
};

/** An email with how it came about. Usage is that of all attempts. */
export type DeliveredDraft = AcceptedDraft & {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly attempts: number;
  readonly warnings: readonly Warning[];
};

type OnTokens = (output: number) => void;

/** The first answer and two repairs. */
const MAX_ATTEMPTS = 3;

/**
 * Generates a draft and has the model repair it while it has problems. Delivers the best draft without a fatal problem.
 * @throws Fault provider_bad_output.template when there is none, and what the quota, the writer and `assess` throw
 */
export function writeDraft(order: DraftRequest, caller: GenerationCaller): Promise<DeliveredDraft> {
  return withUnits(order.quota, caller.caller.accountId, (onTokens) => repairDraft(order, caller, onTokens));
}

async function repairDraft(
  order: DraftRequest,
  caller: GenerationCaller,
  onTokens: OnTokens,
): Promise<DeliveredDraft> {
  const { writer, request } = order;
  let messages: [Message, ...Message[]] = [{ role: 'user', text: JSON.stringify(request) }];
  let spent: { model: string; usage: Usage } | undefined;
  let best: { mail: AcceptedDraft; problems: readonly Problem[] } | undefined;
  let problems: readonly Problem[] = [];
  let attempts = 0;
  while (attempts < MAX_ATTEMPTS) {
    caller.progress(attempts * 2, MAX_ATTEMPTS * 2, attempts === 0 ? 'writing' : `repairing ${attempts}`);
    const orElse = unless(best !== undefined, caller.signal);
    const written = await requestDraft(order, messages, caller, onTokens).catch(orElse);
    if (!written) break;
    attempts++;
    spent = { model: written.model, usage: sum(spent?.usage, written.usage) };
    caller.progress(attempts * 2 - 1, MAX_ATTEMPTS * 2, 'checking');
    const assessed = await order.assess(written.answer).catch(orElse);
    caller.signal.throwIfAborted();
    if (!assessed) break;
    const { answer, mail, problems: found } = assessed;
    problems = found;
    if (mail && (!best || found.length < best.problems.length)) best = { mail, problems: found };
    if (found.length === 0) break;
    messages = [
      ...messages,
      { role: 'assistant', text: JSON.stringify(answer) },
      { role: 'user', text: order.repair(presentProblems(found)) },
    ];
  }
  if (!best || !spent) throw refusal(problems, attempts, spent);
  caller.progress(MAX_ATTEMPTS * 2, MAX_ATTEMPTS * 2, 'done');
  return { ...best.mail, provider: writer.provider, ...spent, attempts, warnings: warningsOf(best) };
}

function requestDraft(
  { writer, instructions, maxTokens, model }: DraftRequest,
  messages: [Message, ...Message[]],
  caller: GenerationCaller,
  onTokens: OnTokens,
) {
  const answer = { name: 'email_template', schema: EmailDraft };
  const options = { signal: caller.signal, model, onText: caller.text, onTokens };
  return writer.write({ instructions, messages, answer, maxTokens }, options);
}

/** When a repair fails, the draft before it is delivered. */
function unless(hasAnswer: boolean, signal: AbortSignal) {
  return (error: unknown) => {
    if (hasAnswer && error instanceof Fault && !signal.aborted) return undefined;
    throw error;
  };
}

function sum(before: Usage | undefined, usage: Usage): Usage {
  if (!before) return usage;
  const known = before.cost_usd !== null && usage.cost_usd !== null;
  return {
    input_tokens: before.input_tokens + usage.input_tokens,
    output_tokens: before.output_tokens + usage.output_tokens,
    cost_usd: known ? Number(before.cost_usd) + Number(usage.cost_usd) : null,
  };
}

function warningsOf({ mail, problems }: { mail: AcceptedDraft; problems: readonly Problem[] }): Warning[] {
  const removed = mail.removed.map((what) => ({ key: 'generated_removed', params: { what } }) as const);
  return [
    ...removed,
    ...problems.flatMap((problem) => (problem.kind === 'warning' ? [problem.warning] : [])),
  ];
}

function refusal(problems: readonly Problem[], attempts: number, spent: { usage: Usage } | undefined): Fault {
  const errors = problems.flatMap((problem) => (problem.kind === 'fatal' ? [problem.detail] : []));
  return new Fault('provider_bad_output.template', { attempts }, { errors, data: { usage: spent?.usage } });
}

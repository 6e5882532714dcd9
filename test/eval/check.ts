import { bytesOf, CLIENT_RULES, hasFence, outsideOf, type Seen, tokensOf } from './client-rules.ts';
import type { Task } from './task.ts';
import type { Mode, Recorded } from './world.ts';

export type Score = {
  readonly rule: string;
  /** Of all answers together. */
  readonly tokens: number;
  /** Of the answer with the most. */
  readonly most: number;
  /** Of the largest answer. */
  readonly bytes: number;
  readonly faults: readonly string[];
};

const LIMIT = 24_000;
/** Of one answer: LIMIT at four bytes a token, as most texts have. Markup has fewer: see `Task.largest`. */
const ANSWER_TOKENS = 6_000;
/** Structured content is JSON where the text may be lines, and its marks have sentences. */
const STRUCTURED = 2.75;

/** The words of the product itself, which no marks are around. */
const OWN: readonly string[] = ['search_tools'];

/** What a model read while it did a task, under each rule of a client, and what was wrong with it. */
export function scoresOf(task: Task, mode: Mode, recorded: readonly Recorded[]): readonly Score[] {
  const { largest = ANSWER_TOKENS } = task;
  const allowed = task.tokens * (mode === 'structured' ? STRUCTURED : 1);
  // Who asks for structured content does not read the text alone.
  const rules = CLIENT_RULES.filter(([rule]) => mode !== 'structured' || rule !== 'text');
  return rules.map(([rule, see]) => {
    const seen = recorded.map((one) => ({
      ...one,
      seen: see(one.answer),
      tokens: tokensOf(see(one.answer).text),
    }));
    const tokens = seen.reduce((sum, one) => sum + one.tokens, 0);
    const faults = [
      ...seen.flatMap(({ tool, answer, seen: one }) =>
        faultsOf(tool, answer.isError === true, one).map((fault) => `${tool}: ${fault}`),
      ),
      ...taskFaults(
        task,
        mode,
        recorded,
        seen.map((one) => one.seen),
      ),
      ...seen.flatMap(({ tool, tokens: one }) =>
        one > largest ? [`${tool}: ${one} tokens, allowed for one answer are ${largest}`] : [],
      ),
      ...(tokens > allowed ? [`${tokens} tokens, allowed are ${allowed}`] : []),
    ];
    const most = Math.max(...seen.map((one) => one.tokens));
    return {
      rule,
      tokens,
      most,
      bytes: Math.max(...seen.map(({ seen: { text } }) => bytesOf(text))),
      faults,
    };
  });
}

function faultsOf(tool: string, isError: boolean, { text }: Seen): string[] {
  const outside = outsideOf(text);
  return [
    ...(bytesOf(text) > LIMIT ? [`${bytesOf(text)} bytes`] : []),
    ...(isError || OWN.includes(tool) || hasFence(text) ? [] : ['no marks']),
    ...(outside.includes('SYSTEM') ? [`an order outside of the marks: ${outside}`] : []),
    ...(isError || OWN.includes(tool) || outside.length <= 400 ? [] : [`unmarked: ${outside.slice(0, 400)}`]),
  ];
}

function taskFaults(task: Task, mode: Mode, recorded: readonly Recorded[], seen: readonly Seen[]): string[] {
  const { told, pictures = 0, errors = 0, questions = [0, 0] } = task;
  const expected = questions[mode === 'default list' ? 1 : 0];
  const asked = recorded.filter((one) => one.asked).length;
  const failed = recorded.filter((one) => one.answer.isError && !(mode === 'default list' && one.asked));
  const whole = seen.map(({ text }) => text).join('\n');
  const shown = seen.reduce((sum, one) => sum + one.pictures, 0);
  const hidden = told.filter((one) => !(typeof one === 'string' ? isTold(whole, one) : one.test(whole)));
  return [
    ...hidden.map((one) => `not told: ${one}`),
    ...(shown < pictures ? [`${shown} pictures of ${pictures}`] : []),
    ...(asked === expected ? [] : [`${asked} questions, expected are ${expected}`]),
    ...(failed.length === errors
      ? []
      : [
          `${failed.length} errors, expected are ${errors}: ${JSON.stringify(failed.map(({ answer }) => answer.content)).slice(0, 600)}`,
        ]),
  ];
}

/** A text is told as it is, or escaped in JSON. */
function isTold(whole: string, text: string): boolean {
  return whole.includes(text) || whole.includes(JSON.stringify(text).slice(1, -1));
}

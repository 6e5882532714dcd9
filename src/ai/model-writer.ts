import { Fault } from '../errors.ts';
import { createDeadline } from '../platform/deadline.ts';
import { NO_TRACING, type Tracing } from '../platform/tracing/tracing.ts';
import type { Brief, Message, Usage, WriteOptions, Writer, Written } from './ai.ts';
import { answerSchema } from './answer-schema.ts';
import { type Conversation, createExchange } from './exchange.ts';
import type { Answered, Ask, Form, Tokens } from './model.ts';
import { entryOf, type ProviderId } from './providers.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { tracedAsk } from './traced-ask.ts';

/** The settings of an adapter. */
export type WriterSettings = {
  /** For messages and records; several providers can share one protocol. */
  readonly provider: ProviderId;
  readonly apiKey?: string | undefined;
  /** Default: the provider's own address. Only the operator may set it. */
  readonly baseUrl?: string | undefined;
  /** The default model. */
  readonly model: string;
  readonly prices?: Prices | undefined;
  /** Models that traces name, beside those with a price. Default: the default model. */
  readonly knownModels?: readonly string[] | undefined;
  readonly tracing?: Tracing | undefined;
  /** Continues the trace at the provider's server; undefined where none is sent. */
  readonly traceparent?: (() => string | undefined) | undefined;
  /** Milliseconds without data before a request fails; in a stream, between two pieces. Default 60,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Milliseconds for the whole call, including a second answer. Default 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** Milliseconds, as Date.now. */
  readonly now?: (() => number) | undefined;
};

type ModelWriterDeps = WriterSettings & {
  readonly ask: Ask;
  /** The forms the provider supports, the strictest first. */
  readonly forms: readonly [Form, ...Form[]];
};

/** About ten times what the requested tokens produce. */
const MAX_ANSWER_CHARS = 1_000_000;

/**
 * A writer over one provider: requests an answer, parses it, and asks once more: for a correction of an invalid one, or with
 * twice the limit for one that was cut with nothing finished.
 */
export function createModelWriter({ provider, ask, forms, ...settings }: ModelWriterDeps): Writer {
  const {
    prices = {},
    knownModels = [settings.model],
    tracing = NO_TRACING,
    idleTimeoutMs = 60_000,
    totalTimeoutMs = 300_000,
    now = Date.now,
  } = settings;
  const exchange = createExchange({
    ...{ provider, forms, idleTimeoutMs, now },
    ask: tracedAsk(ask, provider, {
      tracing,
      knows: (name) => knownModels.includes(name) || Object.hasOwn(prices, name),
    }),
  });

  async function write<Answer>(
    brief: Brief<Answer>,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Written<Answer>> {
    const model = options.model ?? settings.model;
    const limit = brief.maxTokens + (entryOf(provider).reasoningTokens ?? 0);
    const conversation: Omit<Conversation, 'maxTokens'> = {
      model,
      instructions: brief.instructions,
      name: brief.answer.name,
      schema: answerSchema(brief.answer.schema),
      caller: options.signal,
      signal,
      endsAt: now() + totalTimeoutMs,
      meter: options.meter ?? ((ask) => ask),
      listener: firstAnswerOnly(options.onText),
    };
    const tally = createTally(prices);
    const written = ({ answer, state }: Read<Answer>, said: Answered): Written<Answer> => ({
      answer,
      model: said.model,
      usage: tally.usage([model, said.model]),
      cut: state === 'finished',
    });
    const turn = async (messages: readonly Message[], maxTokens: number) => {
      const said = await exchange.answer({ ...conversation, maxTokens }, messages);
      tally.add(said.tokens);
      const params = { provider: entryOf(provider).label, model };
      if (said.text.length > MAX_ANSWER_CHARS) throw new Fault('provider_bad_output.endless', params);
      // A repeated request would be refused again.
      if (said.end === 'refused') throw new Fault('topic_refused.provider', params);
      return { said, read: readSaid(said, brief), maxTokens };
    };

    const cutFault = (tokens: number) =>
      new Fault('provider_bad_output.length', { provider: entryOf(provider).label, model, tokens });
    const again = (said: Answered & { step: number }, read: Unread) => {
      if (said.end === 'cut') return turn(brief.messages, 2 * limit).catch(orLimitReached(cutFault(limit)));
      // Several servers accept response_format and ignore it; only the text shows it.
      if (read.state === 'not_json') exchange.stepDown(conversation, said.step);
      return turn([...brief.messages, ...correction(said.text, read)], limit);
    };

    const first = await turn(brief.messages, limit);
    if ('answer' in first.read) return written(first.read, first.said);
    const second = await again(first.said, first.read);
    if ('answer' in second.read) return written(second.read, second.said);
    if (second.said.end === 'cut') throw cutFault(second.maxTokens);
    throw new Fault('provider_bad_output.answer', { provider: entryOf(provider).label, model });
  }

  return {
    provider,
    async write(brief, options) {
      const total = createDeadline(options.signal, totalTimeoutMs);
      return write(brief, options, total.signal).finally(total.end);
    },
  };
}

/**
 * The listener for the first answer with text; pieces of a second one would not continue the first. The second is
 * streamed too, but ignored.
 */
function firstAnswerOnly(onText: WriteOptions['onText']): Conversation['listener'] {
  let streamed = false;
  return () => {
    if (!onText || streamed) return undefined;
    return (piece) => {
      streamed = true;
      onText(piece);
    };
  };
}

type Read<Answer> = { readonly state: 'read' | 'finished'; readonly answer: Answer };
type Unread = Exclude<ReadAnswer<unknown>, { state: 'read' }>;

/** The answer of a text, or what is finished in a text that was cut. */
function readSaid<Answer>({ text, end }: Answered, { answer }: Brief<Answer>): Read<Answer> | Unread {
  const read = readAnswer(text, answer.schema);
  const finished = end === 'cut' && read.state !== 'read' ? answer.finished?.(text) : undefined;
  return finished === undefined ? read : { state: 'finished', answer: finished };
}

/** A model that refuses twice the limit has reached its own. */
function orLimitReached(cut: Fault) {
  return (error: unknown): never => {
    const isRefused = error instanceof Fault && LIMIT_REFUSALS.includes(error.key);
    throw isRefused ? cut : error;
  };
}

const LIMIT_REFUSALS: readonly string[] = ['provider_unavailable.request', 'too_large.model_input'];

function correction(text: string, read: Unread): Message[] {
  const again: Message = {
    role: 'user',
    text: `Your answer cannot be used. ${read.problem}\nGive the whole answer again as one JSON object, and nothing else.`,
  };
  // Providers refuse a turn without text.
  return text.trim() === '' ? [again] : [{ role: 'assistant', text }, again];
}

/** US dollars for a million tokens, in and out, by model: what the operator set. */
type Prices = Readonly<Record<string, readonly [number, number]>>;

type Tally = {
  add(tokens: Tokens | undefined): void;
  /** The first of the names that has a price counts. */
  usage(models: readonly string[]): Usage;
};

/** Sums the tokens of the calls of one writing. */
function createTally(prices: Prices): Tally {
  let input = 0;
  let output = 0;
  let complete = true;
  return {
    add(tokens) {
      if (!tokens) complete = false;
      input += tokens?.input ?? 0;
      output += tokens?.output ?? 0;
    },
    usage(models) {
      const price = models.filter((model) => Object.hasOwn(prices, model)).map((model) => prices[model])[0];
      const cost = price && complete ? (input * price[0] + output * price[1]) / 1_000_000 : null;
      return {
        input_tokens: input,
        output_tokens: output,
        // Sums of decimals: what is beyond a millionth of a cent is noise.
        cost_usd: cost === null ? null : Number(cost.toFixed(8)),
      };
    },
  };
}

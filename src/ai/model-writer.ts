import { Fault, type FaultParams } from '../errors.ts';
import type { Brief, Message, Usage, WriteOptions, Writer, Written } from './ai.ts';
import { answerSchema } from './answer-schema.ts';
import { type Conversation, createExchange } from './exchange.ts';
import type { Answered, Ask, Form, Tokens } from './model.ts';
import { entryOf, type ProviderId } from './providers.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';

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

/** A writer over one provider: requests an answer, parses it, and asks once for a correction of an invalid one. */
export function createModelWriter({ provider, ask, forms, ...settings }: ModelWriterDeps): Writer {
  const { prices = {}, idleTimeoutMs = 60_000, totalTimeoutMs = 300_000, now = Date.now } = settings;
  const exchange = createExchange({ provider, ask, forms, idleTimeoutMs, now });

  return {
    provider,
    async write<Answer>(brief: Brief<Answer>, options: WriteOptions) {
      const model = options.model ?? settings.model;
      const conversation = openConversation({
        brief,
        options,
        model,
        totalTimeoutMs,
        endsAt: now() + totalTimeoutMs,
      });
      const tally = createTally(prices);
      const written = (answer: Answer, { model: answering }: Answered): Written<Answer> => ({
        answer,
        model: answering,
        usage: tally.usage([model, answering]),
      });
      const turn = async (messages: readonly Message[]) => {
        const said = await exchange.answer(conversation, messages);
        tally.add(said.tokens);
        if (said.text.length > MAX_ANSWER_CHARS)
          throw new Fault('provider_bad_output.endless', { provider: entryOf(provider).label, model });
        const read = readAnswer(said.text, brief.answer.schema);
        checkEnd(said, read, { provider: entryOf(provider).label, model, tokens: brief.maxTokens });
        return { said, read };
      };

      const first = await turn(brief.messages);
      if (first.read.state === 'read') return written(first.read.answer, first.said);
      // Several servers accept response_format and ignore it; only the text shows it.
      if (first.read.state === 'not_json') exchange.stepDown(conversation, first.said.step);
      const second = await turn([...brief.messages, ...correction(first.said.text, first.read)]);
      if (second.read.state === 'read') return written(second.read.answer, second.said);
      throw new Fault('provider_bad_output.answer', { provider: entryOf(provider).label, model });
    },
  };
}

type Opening = {
  readonly brief: Brief<unknown>;
  readonly options: WriteOptions;
  readonly model: string;
  readonly totalTimeoutMs: number;
  readonly endsAt: number;
};

function openConversation({ brief, options, model, totalTimeoutMs, endsAt }: Opening): Conversation {
  return {
    model,
    instructions: brief.instructions,
    maxTokens: brief.maxTokens,
    name: brief.answer.name,
    schema: answerSchema(brief.answer.schema),
    caller: options.signal,
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(totalTimeoutMs)]),
    endsAt,
    listener: firstAnswerOnly(options.onText),
  };
}

/**
 * The listener for the first answer with text; pieces of a second one would not continue the first. The second is
 * streamed too, but ignored.
 */
function firstAnswerOnly(onText: WriteOptions['onText']): Conversation['listener'] {
  let streamed = false;
  return () => {
    if (!onText) return undefined;
    if (streamed) return () => {};
    return (piece) => {
      streamed = true;
      onText(piece);
    };
  };
}

/** A repeated request would be refused again, or be too long again. */
function checkEnd({ end }: Answered, { state }: ReadAnswer<unknown>, params: FaultParams): void {
  if (end === 'refused') throw new Fault('topic_refused.provider', params);
  if (end === 'cut' && state !== 'read') throw new Fault('provider_bad_output.length', params);
}

function correction(text: string, read: Exclude<ReadAnswer<unknown>, { state: 'read' }>): Message[] {
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

import { Fault, type FaultParams } from '../errors.ts';
import type { Brief, Message, Usage, WriteOptions, Writer, Written } from './ai.ts';
import { answerSchema } from './answer-schema.ts';
import { type Conversation, createExchange } from './exchange.ts';
import type { Answered, Ask, Form, Tokens } from './model.ts';
import { entryOf, type ProviderId } from './providers.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';

/** What every adapter of a provider takes. */
export type WriterSettings = {
  /** Who is asked; several providers can speak one protocol. */
  readonly provider: ProviderId;
  readonly apiKey?: string | undefined;
  /** The provider's own address when absent. Only the operator may set it. */
  readonly baseUrl?: string | undefined;
  /** The model asked when the caller names none. */
  readonly model: string;
  readonly prices?: Prices | undefined;
  /** Milliseconds a request may be silent: before its answer, and where it is streamed between two pieces. Default 60,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Milliseconds a whole writing may take, its second try included, default 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** Milliseconds, as Date.now. */
  readonly now?: (() => number) | undefined;
};

type ModelWriterDeps = WriterSettings & {
  readonly ask: Ask;
  /** How the provider can hold a model to its answer, the best way first. */
  readonly forms: readonly [Form, ...Form[]];
};

/** Characters of an answer; the tokens asked for make a tenth of it. */
const MAX_ANSWER_CHARS = 1_000_000;

/** A writer over one provider: asks, reads, and tells the model once what was wrong with its answer. */
export function createModelWriter({ provider, ask, forms, ...settings }: ModelWriterDeps): Writer {
  const { prices = {}, idleTimeoutMs = 60_000, totalTimeoutMs = 300_000, now = Date.now } = settings;
  const exchange = createExchange({ provider, ask, forms, idleTimeoutMs, now });

  return {
    provider,
    async write<Answer>(brief: Brief<Answer>, options: WriteOptions) {
      const model = options.model ?? settings.model;
      const talk = openTalk({ brief, options, model, totalTimeoutMs, endsAt: now() + totalTimeoutMs });
      const tally = createTally(prices);
      const written = (answer: Answer, { model: answering }: Answered): Written<Answer> => ({
        answer,
        model: answering,
        usage: tally.usage([model, answering]),
      });
      const turn = async (messages: readonly Message[]) => {
        const said = await exchange.answer(talk, messages);
        tally.add(said.tokens);
        if (said.text.length > MAX_ANSWER_CHARS)
          throw new Fault('provider_bad_output.endless', { provider: entryOf(provider).label, model });
        const read = readAnswer(said.text, brief.answer.schema);
        checkEnd(said, read, { provider: entryOf(provider).label, model, tokens: brief.maxTokens });
        return { said, read };
      };

      const first = await turn(brief.messages);
      if (first.read.state === 'read') return written(first.read.answer, first.said);
      // Several servers take response_format and ignore it; only the text tells.
      if (first.read.state === 'not_json') exchange.stepDown(talk, first.said.step);
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

function openTalk({ brief, options, model, totalTimeoutMs, endsAt }: Opening): Conversation {
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
 * The listener for the first answer that has text; pieces of a second one would not follow from those of the first. That
 * one is streamed all the same, and not listened to.
 */
function firstAnswerOnly(onText: WriteOptions['onText']): Conversation['listener'] {
  let heard = false;
  return () => {
    if (!onText) return undefined;
    if (heard) return () => {};
    return (piece) => {
      heard = true;
      onText(piece);
    };
  };
}

/** A refusal stays one when it is asked again, and an answer that is too long stays too long. */
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

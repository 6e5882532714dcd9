import type { Anthropic } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { Writer } from '../ai/ai.ts';
import type { Question, Reply, Tokens } from '../ai/model.ts';
import { createModelWriter, type WriterSettings } from '../ai/model-writer.ts';
import { createApiFetch } from './api-fetch.ts';
import { readAnswerBody } from './event-stream.ts';
import { readSdkError } from './sdk-error.ts';

/** A writer over Anthropic's messages API. The SDK is loaded at first use. */
export function createAnthropicWriter(settings: WriterSettings): Writer {
  let client: Promise<Anthropic> | undefined;

  async function ask(question: Question): Promise<Reply> {
    client ??= openClient(settings);
    const anthropic = await client;
    try {
      return await send(anthropic, question);
    } catch (error) {
      return { state: 'failed', failure: readSdkError(error, settings.apiKey) };
    }
  }

  // Anthropic has no JSON mode without a schema.
  return createModelWriter({ ...settings, ask, forms: ['schema', 'text'] });
}

async function openClient({ apiKey = '', baseUrl, traceparent }: WriterSettings): Promise<Anthropic> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    // Every value is set, because the SDK reads missing ones from the environment.
    apiKey,
    webhookKey: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    fetch: createApiFetch({ 'x-api-key': apiKey }, traceparent),
    openTelemetry: false,
    maxRetries: 0,
    logLevel: 'off',
  });
}

async function send(anthropic: Anthropic, question: Question): Promise<Reply> {
  const { signal, onText, model } = question;
  const request = anthropic.messages.create(requestOf(question), { signal });
  const stream = createStreamReader(onText);
  let message: Reply | undefined;
  await readAnswerBody(await request.asResponse(), {
    event: stream.read,
    whole(data) {
      message = readMessage(data, model);
      if (message.state === 'answered') onText(message.text);
    },
  });
  return message ?? stream.end(model);
}

function requestOf({ model, instructions, messages, maxTokens, form }: Question) {
  const body: Anthropic.MessageCreateParamsStreaming = {
    model,
    stream: true,
    max_tokens: maxTokens,
    system: instructions,
    messages: messages.map(({ role, text }) => ({ role, content: text })),
  };
  if (form.is !== 'schema') return body;
  return { ...body, output_config: { format: { type: 'json_schema', schema: { ...form.schema } } } } as const;
}

const Counted = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});

/** The fields we read of a message. The SDK does not validate it, and a gateway may answer instead. */
const AnthropicMessage = z.object({
  model: z.string().max(200).optional().catch(undefined),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: Counted.optional().catch(undefined),
});

/** The fields we read of a stream's event; others are skipped. */
const StreamEvent = z.object({
  message: z
    .object({
      model: z.string().max(200).optional().catch(undefined),
      usage: Counted.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  delta: z
    .object({ text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional()
    .catch(undefined),
  /** The counts so far. */
  usage: z
    .object({ input_tokens: z.number().nullish(), output_tokens: z.number() })
    .optional()
    .catch(undefined),
});

function readMessage(message: unknown, asked: string): Reply {
  const read = AnthropicMessage.safeParse(message).data;
  if (!read) return { state: 'failed', failure: { is: 'address', about: 'no message' } };
  const { content, stop_reason, usage } = read;
  return {
    state: 'answered',
    text: content.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
    end: endOf(stop_reason),
    model: read.model || asked,
    tokens: usage && tokensOf(usage),
  };
}

function createStreamReader(onText: Question['onText']) {
  let text = '';
  let model = '';
  let stopReason: string | undefined;
  let usage: z.output<typeof Counted> | undefined;
  /** The output of the first event is only what there was by then. */
  let isCounted = false;
  return {
    read(event: unknown): void {
      const { message, delta, usage: counted } = StreamEvent.safeParse(event).data ?? {};
      const piece = delta?.text ?? '';
      text += piece;
      onText(piece);
      model ||= message?.model ?? '';
      stopReason = delta?.stop_reason ?? stopReason;
      usage = message?.usage ?? usage;
      if (usage && counted) {
        usage = { ...usage, ...counted, input_tokens: counted.input_tokens ?? usage.input_tokens };
        isCounted = true;
      }
    },
    end(asked: string): Reply {
      // A connection that closes cleanly too early causes no error, only a missing end.
      if (!stopReason) return { state: 'failed', failure: { is: 'down', about: 'the stream has no end' } };
      return {
        state: 'answered',
        text,
        end: endOf(stopReason),
        model: model || asked,
        tokens: usage && isCounted ? tokensOf(usage) : undefined,
      };
    },
  };
}

function tokensOf(usage: z.output<typeof Counted>): Tokens {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  const cached = (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  return { input: input_tokens + cached, output: output_tokens };
}

function endOf(reason: string | null | undefined): 'done' | 'cut' | 'refused' {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'cut';
  return reason === 'refusal' ? 'refused' : 'done';
}

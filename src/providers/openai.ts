import { LRUCache } from 'lru-cache';
import type { OpenAI } from 'openai';
import { z } from 'zod';
import type { Writer } from '../ai/ai.ts';
import type { Question, Reply, Tokens } from '../ai/model.ts';
import { createModelWriter, type WriterSettings } from '../ai/model-writer.ts';
import { createApiFetch } from './api-fetch.ts';
import { readSdkError, refusesField } from './sdk-error.ts';

/** Fields that some servers or models reject. */
const DOUBTFUL = ['stream_options', 'reasoning_effort', 'max_tokens'] as const;

/**
 * A writer over OpenAI's chat completions, which OpenRouter, Ollama, vLLM and other servers implement too. The key may be
 * absent when `baseUrl` names such a server. The SDK is loaded at first use.
 */
export function createOpenaiWriter(settings: WriterSettings): Writer {
  const { apiKey, baseUrl } = settings;
  const official = !baseUrl || /(^|\.)api\.openai\.com$/.test(new URL(baseUrl).hostname);
  const refused = new LRUCache<string, OpenaiDialect['refused']>({ max: 200 });
  let client: Promise<OpenAI> | undefined;

  async function ask(question: Question): Promise<Reply> {
    client ??= openClient(settings);
    const openai = await client;
    for (;;) {
      const known = refused.get(question.model) ?? [];
      try {
        return await send(openai, question, { official, refused: known });
      } catch (error) {
        const field = DOUBTFUL.find((name) => !known.includes(name) && refusesField(error, name));
        if (!field) return { state: 'failed', failure: readSdkError(error, apiKey) };
        refused.set(question.model, [...known, field]);
      }
    }
  }

  return createModelWriter({ ...settings, ask, forms: ['schema', 'object', 'text'] });
}

async function openClient({ apiKey, baseUrl }: WriterSettings): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    // Every value is set, because the SDK reads missing ones from the environment.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    fetch: createApiFetch(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    maxRetries: 0,
    logLevel: 'off',
  });
}

async function send(openai: OpenAI, question: Question, dialect: OpenaiDialect): Promise<Reply> {
  const { signal, onText } = question;
  const body = openaiRequest(question, dialect);
  if (!onText) return readCompletion(await openai.chat.completions.create(body, { signal }), question.model);
  const options = dialect.refused.includes('stream_options')
    ? {}
    : { stream_options: { include_usage: true } };
  const stream = await openai.chat.completions.create({ ...body, ...options, stream: true }, { signal });
  return readStream(stream, onText, question.model);
}

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** What a server supports, as far as known. */
type OpenaiDialect = {
  /** OpenAI itself, not a compatible server. */
  readonly official: boolean;
  /** Fields it has rejected for this model. */
  readonly refused: readonly ('stream_options' | 'reasoning_effort' | 'max_tokens')[];
};

/** The body of a chat completion, not yet streamed. */
export function openaiRequest(
  { model, instructions, messages, maxTokens, form }: Question,
  dialect: OpenaiDialect,
): Body {
  const { official, refused } = dialect;
  const body: Body = {
    model,
    messages: [
      { role: 'system', content: instructions },
      ...messages.map(({ role, text }) => ({ role, content: text })),
    ],
    // Older servers reject max_completion_tokens, and OpenAI's newer models accept nothing else.
    ...(official || refused.includes('max_tokens')
      ? { max_completion_tokens: maxTokens }
      : { max_tokens: maxTokens }),
    // Reasoning counts against the token limit, and writing an email needs little of it.
    ...(official && !refused.includes('reasoning_effort') && { reasoning_effort: 'low' }),
  };
  switch (form.is) {
    case 'schema':
      return {
        ...body,
        response_format: {
          type: 'json_schema',
          json_schema: { name: form.name, strict: true, schema: form.schema },
        },
      };
    case 'object':
      return { ...body, response_format: { type: 'json_object' } };
    case 'text':
      return body;
  }
}

const Usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });
type Usage = z.output<typeof Usage>;

/** The fields we read of a completion. The SDK does not validate it, and not every server is OpenAI. */
const Completion = z.object({
  model: z.string().max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: Usage.optional().catch(undefined),
});

/** The fields we read of a stream's chunk; other chunks are skipped. */
const Chunk = z.object({
  model: z.string().max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  usage: Usage.optional().catch(undefined),
});

function readCompletion(completion: unknown, asked: string): Reply {
  const read = Completion.safeParse(completion).data;
  const choice = read?.choices[0];
  if (!read || !choice) return { state: 'failed', failure: { is: 'address', about: 'no chat completion' } };
  const { message, finish_reason } = choice;
  return {
    state: 'answered',
    text: message.content ?? '',
    end: message.refusal ? 'refused' : endOf(finish_reason),
    model: read.model || asked,
    tokens: tokensOf(read.usage),
  };
}

/** Reads a stream to its end. Rejects when the stream does. */
async function readStream(
  stream: AsyncIterable<unknown>,
  onText: (piece: string) => void,
  asked: string,
): Promise<Reply> {
  let text = '';
  let refused = false;
  let finish: string | undefined;
  let model = '';
  let usage: Usage | undefined;
  for await (const sent of stream) {
    const chunk = Chunk.safeParse(sent).data;
    if (!chunk) continue;
    const choice = chunk.choices?.[0];
    const piece = choice?.delta?.content;
    if (piece) {
      text += piece;
      onText(piece);
    }
    refused ||= Boolean(choice?.delta?.refusal);
    finish = choice?.finish_reason ?? finish;
    model ||= chunk.model ?? '';
    usage = chunk.usage ?? usage;
  }
  // A connection that closes cleanly too early causes no error, only a missing end.
  if (!finish) return { state: 'failed', failure: { is: 'down', about: 'the stream has no end' } };
  const end = refused ? 'refused' : endOf(finish);
  return { state: 'answered', text, end, model: model || asked, tokens: tokensOf(usage) };
}

function endOf(finish: string | null | undefined): 'done' | 'cut' | 'refused' {
  if (finish === 'length') return 'cut';
  return finish === 'content_filter' ? 'refused' : 'done';
}

function tokensOf(usage: Usage | undefined): Tokens | undefined {
  return usage && { input: usage.prompt_tokens, output: usage.completion_tokens };
}

import { LRUCache } from 'lru-cache';
import type { OpenAI } from 'openai';
import { z } from 'zod';
import type { Writer } from '../ai/ai.ts';
import type { Question, Reply, Tokens } from '../ai/model.ts';
import { createModelWriter, type WriterSettings } from '../ai/model-writer.ts';
import { createApiFetch } from './api-fetch.ts';
import { readAnswerBody, STREAM_END } from './event-stream.ts';
import { readSdkError, refusesField } from './sdk-error.ts';

/** Fields that some servers or models reject. OpenAI itself streams some models only to verified organizations. */
const DOUBTFUL = ['stream_options', 'reasoning_effort', 'max_tokens', 'stream'] as const;

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

async function openClient({ apiKey, baseUrl, traceparent }: WriterSettings): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    // Every value is set, because the SDK reads missing ones from the environment.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    fetch: createApiFetch(apiKey ? { authorization: `Bearer ${apiKey}` } : {}, traceparent),
    maxRetries: 0,
    logLevel: 'off',
  });
}

async function send(openai: OpenAI, question: Question, dialect: OpenaiDialect): Promise<Reply> {
  const { signal, onText, model } = question;
  const request = openai.chat.completions.create(openaiRequest(question, dialect), { signal });
  const stream = createStreamReader(onText);
  let completion: Reply | undefined;
  await readAnswerBody(await request.asResponse(), {
    event: stream.read,
    whole(data) {
      completion = readCompletion(data, model);
      if (completion.state === 'answered') onText(completion.text);
    },
  });
  return completion ?? stream.end(model);
}

type Body = OpenAI.ChatCompletionCreateParams;

/** What a server supports, as far as known. */
type OpenaiDialect = {
  /** OpenAI itself, not a compatible server. */
  readonly official: boolean;
  /** Fields it has rejected for this model. */
  readonly refused: readonly (typeof DOUBTFUL)[number][];
};

/** The body of a chat completion. */
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
    ...(!refused.includes('stream') && { stream: true }),
    // Only then a stream ends with the tokens.
    ...(!refused.includes('stream') &&
      !refused.includes('stream_options') && { stream_options: { include_usage: true } }),
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
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.unknown().optional(),
        }),
      }),
    )
    .min(1),
  usage: Usage.optional().catch(undefined),
});

function readCompletion(completion: unknown, asked: string): Reply {
  const read = Completion.safeParse(completion).data;
  const choice = read?.choices[0];
  if (!read || !choice) return { state: 'failed', failure: { is: 'address', about: 'no chat completion' } };
  const { message, finish_reason } = choice;
  return {
    state: 'answered',
    text: (message.content ?? '') + argumentsIn(message.tool_calls),
    end: message.refusal ? 'refused' : endOf(finish_reason),
    model: read.model || asked,
    tokens: tokensOf(read.usage),
  };
}

/** Reads chunks without a schema: an answer has hundreds of them. */
function createStreamReader(onText: Question['onText']) {
  let text = '';
  let refused = false;
  let finish: string | undefined;
  let model = '';
  let usage: Usage | undefined;
  return {
    read(event: unknown): void {
      if (event === STREAM_END) finish ??= 'stop';
      const chunk = recordOf(event);
      const choice = recordOf(listOf(chunk?.['choices'])[0]);
      const delta = recordOf(choice?.['delta']);
      const piece = stringOf(delta?.['content']) + argumentsIn(delta?.['tool_calls']);
      text += piece;
      onText(piece);
      refused ||= Boolean(delta?.['refusal']);
      finish = stringOf(choice?.['finish_reason']) || finish;
      model ||= stringOf(chunk?.['model']).slice(0, 200);
      if (chunk?.['usage']) usage = Usage.safeParse(chunk['usage']).data ?? usage;
    },
    end(asked: string): Reply {
      // A connection that closes cleanly too early causes no error, only a missing end.
      if (!finish) return { state: 'failed', failure: { is: 'down', about: 'the stream has no end' } };
      const end = refused ? 'refused' : endOf(finish);
      return { state: 'answered', text, end, model: model || asked, tokens: tokensOf(usage) };
    },
  };
}

/**
 * What is written as the arguments of tools. Some servers answer with a schema by calling a tool that the request did not offer;
 * Ollama's own arguments are an object, OpenAI's a text in pieces.
 */
function argumentsIn(calls: unknown): string {
  const written = listOf(calls).map((call) => recordOf(recordOf(call)?.['function'])?.['arguments']);
  return written.map((one) => (recordOf(one) ? JSON.stringify(one) : stringOf(one))).join('');
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // Of an object any member may be asked for.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function endOf(finish: string | null | undefined): 'done' | 'cut' | 'refused' {
  if (finish === 'length') return 'cut';
  return finish === 'content_filter' ? 'refused' : 'done';
}

function tokensOf(usage: Usage | undefined): Tokens | undefined {
  return usage && { input: usage.prompt_tokens, output: usage.completion_tokens };
}

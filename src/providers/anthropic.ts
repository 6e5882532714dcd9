import type { Anthropic } from '@anthropic-ai/sdk';
import type { Question, Reply } from '../ai/model.ts';
import { createModelWriter, type WriterSettings } from '../ai/model-writer.ts';
import type { Writer } from '../ai/writer.ts';
import { readMessage } from './anthropic/reply.ts';
import { createApiFetch } from './api-fetch.ts';
import { readSdkError } from './sdk-trouble.ts';

/** A writer over Anthropic's messages. The SDK is loaded at the first writing. */
export function createAnthropicWriter(settings: WriterSettings): Writer {
  let client: Promise<Anthropic> | undefined;

  async function ask(question: Question): Promise<Reply> {
    client ??= openClient(settings);
    const anthropic = await client;
    try {
      return await send(anthropic, question);
    } catch (error) {
      return { state: 'failed', trouble: readSdkError(error, settings.apiKey) };
    }
  }

  // There is no mode of JSON without a schema.
  return createModelWriter({ ...settings, ask, forms: ['schema', 'text'] });
}

async function openClient({ apiKey = '', baseUrl }: WriterSettings): Promise<Anthropic> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    // Every value is given, because the SDK takes what is not from the environment.
    apiKey,
    webhookKey: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    fetch: createApiFetch({ 'x-api-key': apiKey }),
    openTelemetry: false,
    maxRetries: 0,
    logLevel: 'off',
  });
}

async function send(anthropic: Anthropic, question: Question): Promise<Reply> {
  const { signal, onText, model } = question;
  const body = requestOf(question);
  if (!onText) return readMessage(await anthropic.messages.create(body, { signal }), model);
  const stream = anthropic.messages.stream(body, { signal });
  stream.on('text', onText);
  const message = await stream.finalMessage();
  // A server that goes away politely leaves no error, only a missing end.
  if (!message.stop_reason)
    return { state: 'failed', trouble: { is: 'down', about: 'the stream has no end' } };
  return readMessage(message, model);
}

function requestOf({ model, instructions, messages, maxTokens, form }: Question) {
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    model,
    max_tokens: maxTokens,
    system: instructions,
    messages: messages.map(({ role, text }) => ({ role, content: text })),
  };
  if (form.is !== 'schema') return body;
  return { ...body, output_config: { format: { type: 'json_schema', schema: { ...form.schema } } } } as const;
}

import { LRUCache } from 'lru-cache';
import type { OpenAI } from 'openai';
import type { Question, Reply } from '../ai/model.ts';
import { createModelWriter, type WriterSettings } from '../ai/model-writer.ts';
import type { Writer } from '../ai/writer.ts';
import { createApiFetch } from './api-fetch.ts';
import { readCompletion, readStream } from './openai/reply.ts';
import { type OpenaiDialect, openaiRequest } from './openai/request.ts';
import { readSdkError, refusesField } from './sdk-trouble.ts';

/** Fields that some servers, or some models, refuse. */
const DOUBTFUL = ['stream_options', 'reasoning_effort', 'max_tokens'] as const;

/**
 * A writer over OpenAI's chat completions, which OpenRouter, Ollama, vLLM and other servers speak as well. The key may be
 * absent where `baseUrl` names such a server. The SDK is loaded at the first writing.
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
        if (!field) return { state: 'failed', trouble: readSdkError(error, apiKey) };
        refused.set(question.model, [...known, field]);
      }
    }
  }

  return createModelWriter({ ...settings, ask, forms: ['schema', 'object', 'text'] });
}

async function openClient({ apiKey, baseUrl }: WriterSettings): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    // Every value is given, because the SDK takes what is not from the environment.
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

import { z } from 'zod';
import type { WriterSettings } from '../../src/ai/model-writer.ts';
import type { Brief, WriteOptions, Writer } from '../../src/ai/writer.ts';
import { Fault } from '../../src/errors.ts';
import { createAnthropicWriter } from '../../src/providers/anthropic.ts';
import { createOpenaiWriter } from '../../src/providers/openai.ts';

export const KEY = 'sk-test-7Jq2secretsecretsecret99';

type More = Omit<WriterSettings, 'model'> & { readonly model?: string };

/** The adapters the contract holds for, each against the peer at this origin. */
export const PROVIDERS = [
  {
    provider: 'openai' as const,
    name: 'OpenAI',
    open: (url: string, more: More = {}) =>
      createOpenaiWriter({ apiKey: KEY, baseUrl: `${url}/v1`, model: 'gpt-5.6-luna', ...more }),
  },
  {
    provider: 'anthropic' as const,
    name: 'Anthropic',
    open: (url: string, more: More = {}) =>
      createAnthropicWriter({ apiKey: KEY, baseUrl: url, model: 'claude-haiku-4-5', ...more }),
  },
];

type Mail = { subject: string; tone?: 'warm' | 'plain' | undefined };

export const BRIEF: Brief<Mail> = {
  instructions: 'You write subjects of mails.',
  messages: [{ role: 'user', text: 'A sale of candles.' }],
  answer: {
    name: 'mail',
    schema: z.object({ subject: z.string().min(1).max(60), tone: z.enum(['warm', 'plain']).optional() }),
  },
  maxTokens: 400,
};

export const GOOD = '{"subject":"Candles, half price","tone":null}';

export function write(writer: Writer, options: Partial<WriteOptions> = {}) {
  return writer.write(BRIEF, { signal: new AbortController().signal, ...options });
}

/** The fault a writing ends with. */
export async function faultOf(writing: Promise<unknown>): Promise<Fault> {
  const error = await writing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw new Error('the writing did not end with a Fault', { cause: error });
}

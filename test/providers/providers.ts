import { test } from 'vitest';
import { z } from 'zod';
import type { Brief, WriteOptions, Writer } from '../../src/ai/ai.ts';
import type { WriterSettings } from '../../src/ai/model-writer.ts';
import { entryOf, PROVIDER_IDS, type Protocol } from '../../src/ai/providers.ts';
import { Fault } from '../../src/errors.ts';
import { WRITER_ADAPTERS } from '../../src/providers/writer-adapters.ts';
import { startModelServer } from '../peers/model-server.ts';

export const KEY = 'sk-test-7Jq2secretsecretsecret99';

type More = Partial<WriterSettings>;

/** Where the peer serves each protocol. */
const PATHS: Readonly<Record<Protocol, string>> = { openai: '/v1', anthropic: '' };

/** The providers that keep the contract, each against the peer at this origin. */
export const PROVIDER_CASES = PROVIDER_IDS.map((provider) => {
  const { label, protocol, model, reasoningTokens = 0 } = entryOf(provider);
  const open = (url: string, more: More = {}) =>
    WRITER_ADAPTERS[protocol]({ provider, apiKey: KEY, baseUrl: `${url}${PATHS[protocol]}`, model, ...more });
  return { provider, protocol, reasoningTokens, name: label, open };
});

/** A test with a provider of its own, so that many can wait at the same time. */
export const providerTest = test.extend('peer', async ({ task: _task }, { onCleanup }) => {
  const peer = await startModelServer();
  onCleanup(() => peer.close());
  return peer;
});

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

import type { Writer } from '../ai/ai.ts';
import type { WriterSettings } from '../ai/model-writer.ts';
import type { Protocol } from '../ai/providers.ts';
import { createAnthropicWriter } from './anthropic.ts';
import { createOpenaiWriter } from './openai.ts';

/** The adapter of each protocol that the providers of src/ai/providers.ts speak. */
export const WRITER_ADAPTERS: Readonly<Record<Protocol, (settings: WriterSettings) => Writer>> = {
  openai: createOpenaiWriter,
  anthropic: createAnthropicWriter,
};

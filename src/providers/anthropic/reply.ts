import { z } from 'zod';
import type { Reply } from '../../ai/model.ts';

/** What is read of a message. The SDK does not check it, and a gateway may answer in its place. */
const AnthropicMessage = z.object({
  model: z.string().max(200).optional().catch(undefined),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .optional()
    .catch(undefined),
});

/** Reads a whole message. */
export function readMessage(message: unknown, asked: string): Reply {
  const read = AnthropicMessage.safeParse(message).data;
  if (!read) return { state: 'failed', trouble: { is: 'address', about: 'no message' } };
  const { content, stop_reason, usage } = read;
  return {
    state: 'answered',
    text: content.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
    end: endOf(stop_reason),
    model: read.model || asked,
    tokens: usage && {
      input:
        usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
      output: usage.output_tokens,
    },
  };
}

function endOf(reason: string | null | undefined): 'done' | 'cut' | 'refused' {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'cut';
  return reason === 'refusal' ? 'refused' : 'done';
}

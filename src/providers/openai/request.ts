import type { OpenAI } from 'openai';
import type { Question } from '../../ai/model.ts';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** What a server is known to understand. */
export type OpenaiDialect = {
  /** OpenAI itself, not a server that speaks like it. */
  readonly official: boolean;
  /** Fields it has refused for this model. */
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
    // Only newer servers know max_completion_tokens, and OpenAI's newer models know nothing else.
    ...(official || refused.includes('max_tokens')
      ? { max_completion_tokens: maxTokens }
      : { max_tokens: maxTokens }),
    // Reasoning counts against the limit of tokens, and writing a mail needs little of it.
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

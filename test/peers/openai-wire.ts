import type { ModelTurn, ModelUsage, ModelWire } from './model-answer.ts';

/** `POST /v1/chat/completions` as the OpenAI document describes its answers. */
export const openaiWire: ModelWire = {
  whole: (turn) => ({
    ...head(turn, 'chat.completion'),
    choices: [{ index: 0, message: message(turn), logprobs: null, finish_reason: finish(turn) }],
    ...(turn.usage && { usage: usage(turn.usage) }),
  }),
  opening: (turn) => [chunk(turn, { role: 'assistant', content: '' })],
  piece: (text, turn) => chunk(turn, turn.end === 'refusal' ? { refusal: text } : { content: text }),
  // The field compatible servers use; OpenAI itself sends no reasoning.
  thought: (turn) => chunk(turn, { reasoning_content: 'Hm.' }),
  closing: (turn, request) => [
    chunk(turn, {}, finish(turn)),
    ...(request['stream_options'] && turn.usage
      ? [event({ ...head(turn, 'chat.completion.chunk'), choices: [], usage: usage(turn.usage) })]
      : []),
    'data: [DONE]\n\n',
  ],
  error: (error) => ({ error: { message: 'refused', type: null, code: null, param: null, ...error } }),
  errorEvent: (error) =>
    event({ error: { message: 'refused', type: null, code: null, param: null, ...error } }),
};

function head({ model }: ModelTurn, object: string) {
  return { id: 'chatcmpl-1', object, created: 1_790_000_000, model };
}

function message({ text, end }: ModelTurn) {
  return end === 'refusal'
    ? { role: 'assistant', content: null, refusal: text }
    : { role: 'assistant', content: text, refusal: null };
}

function finish({ end }: ModelTurn): string {
  return { done: 'stop', length: 'length', refusal: 'content_filter' }[end];
}

function usage({ input, output }: ModelUsage) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function chunk(turn: ModelTurn, delta: object, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
  return event({ ...head(turn, 'chat.completion.chunk'), choices });
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

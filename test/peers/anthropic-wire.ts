import type { ModelTurn, ModelWire } from './model-answer.ts';

/** `POST /v1/messages` as the types of Anthropic's SDK describe its answers. */
export const anthropicWire: ModelWire = {
  whole: (turn) => ({
    ...message(turn),
    content: [{ type: 'text', text: turn.text, citations: null }],
    stop_reason: stopReason(turn),
    usage: usage(turn),
  }),
  opening: (turn) => [
    event('message_start', { message: { ...message(turn), usage: { ...usage(turn), output_tokens: 1 } } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '', citations: null } }),
  ],
  piece: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  thought: () => event('ping', {}),
  closing: (turn) => [
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: { output_tokens: turn.usage?.output ?? 0 },
    }),
    event('message_stop', {}),
  ],
  error: ({ type, message = 'refused' }, status) => ({
    type: 'error',
    error: { type: type ?? ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_peer',
  }),
  errorEvent: ({ type = 'overloaded_error', message = 'refused' }) =>
    event('error', { error: { type, message } }),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function message({ model }: ModelTurn) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function stopReason({ end }: ModelTurn): string {
  return { done: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[end];
}

function usage({ usage: counted }: ModelTurn) {
  return {
    input_tokens: counted?.input ?? 0,
    output_tokens: counted?.output ?? 0,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
  };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

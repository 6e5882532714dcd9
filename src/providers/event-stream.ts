import { z } from 'zod';
import { isEventStream, readPieces } from './api-fetch.ts';

/** An error a provider sends inside a stream that began well. Its fields are those of the SDKs' errors. */
class ErrorEvent extends Error {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;

  constructor({ code, type, message }: z.output<typeof SentError>) {
    super(message);
    // OpenRouter sends the status as the code.
    this.status = typeof code === 'number' ? code : undefined;
    this.code = typeof code === 'string' ? code : undefined;
    this.type = type;
  }
}

const SentError = z
  .object({
    code: z.union([z.string(), z.number()]).optional().catch(undefined),
    type: z.string().optional().catch(undefined),
    message: z.string().catch(''),
  })
  .catch({ message: '' });

type Listener = {
  /** One JSON object of a stream, in order. */
  readonly event: (data: unknown) => void;
  /** The whole JSON of a server that does not stream. */
  readonly whole: (data: unknown) => void;
};

/**
 * Reads the response to a request for a stream: server-sent events, or one JSON body from a server that ignored the request
 * to stream. Resolves at the end of the body.
 * @throws ErrorEvent for an error inside the stream, SyntaxError for what is no JSON, EndlessAnswer, and the body's errors
 */
export async function readAnswerBody(response: Response, listener: Listener): Promise<void> {
  const parse = createEventParser(listener.event);
  if (isEventStream(response)) {
    await readPieces(response, parse);
    parse('\n\n');
    return;
  }
  let text = '';
  await readPieces(response, (piece) => {
    text += piece;
  });
  // Some servers stream under another content type.
  if (STREAM_START.test(text)) parse(`${text}\n\n`);
  else listener.whole(JSON.parse(text));
}

const STREAM_START = /^\s*(?:data|event|id|retry)?:/;

/** The marker OpenAI's protocol ends a stream with; it reaches the listener as this string. */
export const STREAM_END = '[DONE]';

/** Parses pieces of an event stream. Lines of any length are read once. */
function createEventParser(found: (data: unknown) => void) {
  let line = '';
  let data = '';

  function endLine(): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    if (text === '') endEvent();
    else if (text.startsWith('data:')) data += `${data && '\n'}${text.slice(text[5] === ' ' ? 6 : 5)}`;
  }

  function endEvent(): void {
    const text = data;
    data = '';
    if (text === '') return;
    const event: unknown = text === STREAM_END ? text : JSON.parse(text);
    if (isRecord(event) && event['error']) throw new ErrorEvent(SentError.parse(event['error']));
    found(event);
  }

  return (piece: string): void => {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      line += piece.slice(start, end);
      endLine();
      start = end + 1;
    }
    line += piece.slice(start);
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

import {
  type AuthInfo,
  isJsonContentType,
  type JSONRPCMessage,
  type MessageExtraInfo,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';

type Posted = { readonly auth: AuthInfo | undefined; readonly body: unknown };

/**
 * The transport of the protocol of 2024, which the SDK in use has no more: the response to a GET stays open as a stream of
 * events. Its first event is the address to post to; what is posted there is answered on the stream.
 */
export class SseTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly sessionId: string;
  readonly #address: string;
  readonly #stream: Response;

  /** @param address Path to post to; it gets the ID of the session. */
  constructor(sessionId: string, address: string, stream: Response) {
    this.sessionId = sessionId;
    this.#address = address;
    this.#stream = stream;
  }

  async start(): Promise<void> {
    const { pathname, search } = new URL(this.#address, 'http://localhost');
    const separator = search === '' ? '?' : '&';
    this.#stream.once('close', () => this.onclose?.());
    this.#stream.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
    });
    this.#write('endpoint', `${pathname}${search}${separator}sessionId=${this.sessionId}`);
  }

  /** Takes a message and says so; the answer to it goes over the stream. */
  receive(req: Request, res: Response, { auth, body }: Posted): void {
    const message = isJsonContentType(req.headers['content-type']) && asMessage(body);
    if (!message) {
      res.writeHead(400).end('Invalid message');
      return;
    }
    this.onmessage?.(message, auth && { authInfo: auth });
    res.writeHead(202).end('Accepted');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#stream.writableEnded || this.#stream.destroyed) throw new Error('The stream is closed.');
    this.#write('message', JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#stream.end();
  }

  #write(event: string, data: string): void {
    this.#stream.write(`event: ${event}\ndata: ${data}\n\n`);
  }
}

function asMessage(body: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    return undefined;
  }
}

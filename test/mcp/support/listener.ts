import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { enveloped, TASKS, VERSION } from './raw-client.ts';

export type Heard = {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
};

export type Listener = {
  /** Every message so far. */
  readonly heard: readonly Heard[];
  /** The first message that passes, now or later; rejects when the stream ends without. */
  until(passes: (message: Heard) => boolean): Promise<Heard>;
  readonly ended: Promise<void>;
  close(): void;
};

/** Opens a stream of `subscriptions/listen`. */
export function listenTo(
  url: string,
  key: string,
  notifications: object,
  capabilities: ClientCapabilities = { extensions: TASKS },
): Promise<Listener> {
  const params = enveloped({ notifications }, capabilities);
  return openStream(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': 'subscriptions/listen',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'listen-1', method: 'subscriptions/listen', params }),
  });
}

/** Reads the messages of a stream of events, or of one answer in JSON. */
export async function openStream(url: string, init: RequestInit): Promise<Listener> {
  const leaving = new AbortController();
  const heard: Heard[] = [];
  let wake = () => {};
  let isOver = false;
  const response = await fetch(`${url}/mcp`, { ...init, signal: leaving.signal });
  const take = (text: string) => {
    heard.push(JSON.parse(text) as Heard);
    wake();
  };
  const reading = async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.+)$/m.exec(frame)?.[1];
        if (data !== undefined) take(data);
      }
    }
    if (text.startsWith('{')) take(text);
  };
  const ended = reading()
    .catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  return {
    heard,
    ended,
    async until(passes) {
      for (;;) {
        const found = heard.find(passes);
        if (found) return found;
        if (isOver) throw new Error(`the stream ended after ${JSON.stringify(heard)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close: () => leaving.abort(),
  };
}

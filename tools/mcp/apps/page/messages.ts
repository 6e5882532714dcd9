/** Messages between this page and its host: JSON-RPC by postMessage, to and from the parent alone. */

export type Members = Readonly<Record<string, unknown>>;
type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: { readonly message?: string };
};

/** What the host says unasked, by method. */
type Listeners = Readonly<Record<string, (params: Members) => void>>;

export type Line = {
  request(method: string, params: Members): Promise<Members>;
  notify(method: string, params: Members): void;
};

export function openLine(listeners: Listeners): Line {
  const waiting = new Map<number, { resolve: (result: Members) => void; reject: (error: Error) => void }>();
  let last = 0;
  const send = (message: Members) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const answer = ({ id, method = '' }: Message) => {
    if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
    else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  };
  const settle = ({ id, result, error }: Message) => {
    const request = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (error) request?.reject(new Error(error.message ?? 'The host refused.'));
    else request?.resolve(result ?? {});
  };
  window.addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    // Anything else, such as the email in a frame of this page, has nothing to say here.
    if (source !== window.parent || typeof data !== 'object' || data === null) return;
    if (data.method === undefined) settle(data);
    else if (data.id !== undefined) answer(data);
    else listeners[data.method]?.(data.params ?? {});
  });
  return {
    request(method, params) {
      const id = ++last;
      send({ id, method, params });
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
    },
    notify: (method, params) => send({ method, params }),
  };
}

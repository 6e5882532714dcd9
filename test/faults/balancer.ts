import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type Balancer = {
  readonly url: string;
  /** Sends requests to this node too, once it says that it is ready. */
  add(node: string): Promise<void>;
  remove(node: string): void;
  close(): Promise<void>;
};

const POLL_MS = 500;

/** A load balancer as operators run one: it asks each node whether it is ready, takes turns, and repeats nothing. */
export async function startBalancer(): Promise<Balancer> {
  const nodes = new Map<string, boolean>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let closed = false;
  const ask = async (node: string) => {
    const isReady = await fetch(`${node}/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      // One that is late, as all are on a busy machine, stays what it was.
      (error: unknown) => error instanceof Error && error.name === 'TimeoutError' && nodes.get(node) === true,
    );
    if (nodes.has(node)) nodes.set(node, isReady);
    return isReady;
  };
  const polling = (async () => {
    while (!closed) {
      await delay(POLL_MS);
      await Promise.all([...nodes.keys()].map(ask));
    }
  })();
  const server = createServer((req, res) => {
    const ready = [...nodes].flatMap(([node, isReady]) => (isReady ? [node] : []));
    const node = ready[turn++ % ready.length];
    if (node === undefined) res.writeHead(503).end('no node is ready');
    else pass(req, res, node, agent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async add(node) {
      nodes.set(node, false);
      while (!(await ask(node))) await delay(50);
    },
    remove: (node) => nodes.delete(node),
    async close() {
      closed = true;
      await polling;
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(req: IncomingMessage, res: ServerResponse, node: string, agent: Agent): void {
  const { method, headers, url } = req;
  const { connection: _, host: __, ...passed } = headers;
  const onward = request(`${node}${url}`, { method, headers: passed, agent }, (answer) => {
    const { connection: ___, ...answered } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(res);
  });
  onward.on('error', (error) => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end(error.message);
  });
  req.pipe(onward);
}

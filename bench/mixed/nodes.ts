import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child, Children } from '../children.ts';

const ROOT = join(import.meta.dirname, '../..');
/** As often as balancers ask. */
const ASK_MS = 500;

export type Nodes = {
  /** The next of those that said they were ready when they were last asked. */
  next(): string | undefined;
  pids(): readonly number[];
  /** Ends a node, and starts it again. kill: as a machine that loses power; restart: as a supervisor does. */
  disturb(nth: number, how: 'kill' | 'restart'): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type NodesOptions = {
  readonly children: Children;
  readonly count: number;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
};

/** Starts servers of one database, and asks each whether it is ready, as a load balancer does. */
export async function startNodes({ children, count, folder, settings }: NodesOptions): Promise<Nodes> {
  const start = (nth: number): Promise<Child> =>
    children.start(`node-${nth}`, ['--max-semi-space-size=8', join(ROOT, 'http/main.ts')], {
      ...settings,
      DATA_DIR: join(folder, `data-${nth}`),
    });
  const nodes: Child[] = [];
  for (let nth = 0; nth < count; nth++) nodes.push(await start(nth));
  let ready = await askAll();
  while (ready.length < count) {
    await sleep(ASK_MS);
    ready = await askAll();
  }
  let turn = 0;
  let closed = false;
  const asking = (async () => {
    while (!closed) {
      await sleep(ASK_MS);
      ready = await askAll();
    }
  })();

  return {
    next: () => ready[turn++ % ready.length],
    pids: () => nodes.map(({ pid }) => pid),
    async disturb(nth, how) {
      const node = nodes[nth % count];
      if (node === undefined) return;
      if (how === 'kill') process.kill(node.pid, 'SIGKILL');
      await children.stop(node);
      nodes[nth % count] = await start(nth % count);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await asking;
      await Promise.all(nodes.map((node) => children.stop(node)));
    },
  };

  async function askAll(): Promise<readonly string[]> {
    const answers = await Promise.all(nodes.map(({ url }) => isReady(url)));
    return nodes.filter((_, nth) => answers[nth]).map(({ url }) => url);
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

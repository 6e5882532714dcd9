import type { App } from '../../src/app.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { onceAsync } from '../../src/platform/once-async.ts';
import { rawClient } from '../../test/mcp/support/raw-client.ts';
import { startTestServer } from '../../test/support/server.ts';
import type { CallTool } from '../tool-calls.ts';
import { LONG, SEED } from './fill.ts';
import { connectPair } from './pair.ts';

export type Operation = {
  readonly name: string;
  /** What there are `n` of. */
  readonly grows: string;
  /** `nth` counts the calls from 1. */
  run(nth: number): Promise<unknown>;
  /** Fewer calls than of others, where one takes seconds. */
  readonly calls?: number;
};

/** A plan reads every row of both sides. */
const PLANS = 3;

/** More than calls are made, so that each is the first with its key. */
const KEYS = 60;

/** What the account has before it is filled: one of each kind, written by the product. */
export async function seed(app: App, call: CallTool, accountId: string): Promise<string[]> {
  for (const name of [SEED, LONG])
    await call('create_template', { name, html: '<p>Hello {{name}}</p>', subject: 'Hi' });
  await call('create_video', { title: 'Seed', duration: 1 });
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await app.keys.create(accountId, 'bench', SCOPES, null)).key);
  return keys;
}

type Subject = {
  readonly app: App;
  readonly call: CallTool;
  readonly accountId: string;
  readonly keys: readonly string[];
  readonly n: number;
};

/** The operations whose cost may grow. Each call reads or writes other rows, so none is answered from a cache of this process. */
export async function openOperations({ app, call, accountId, keys, n }: Subject) {
  const pair = onceAsync(() => connectPair(app, call, accountId));
  const server = await startTestServer(app);
  const mcp = rawClient(server.url, keys[0] ?? '');
  const any = (nth: number) => 1 + ((nth * 7919) % n);
  const data = { name: 'Ana' };
  const frame = { seconds: 0.5, type: 'png' } as const;
  const { signal } = new AbortController();
  const operations: Operation[] = [
    {
      name: 'render, cold',
      grows: 'templates',
      run: (nth) => call('render_template', { template: `grown-${any(nth)}`, data }),
    },
    {
      name: 'render, warm',
      grows: 'templates',
      run: () => call('render_template', { template: SEED, data }),
    },
    { name: 'list templates', grows: 'templates', run: () => call('list_templates', {}) },
    {
      name: 'list templates, q',
      grows: 'templates',
      run: (nth) => call('list_templates', { q: `grown-${any(nth)}` }),
    },
    {
      name: 'commit',
      grows: 'versions',
      run: (nth) =>
        call('update_template', { template: LONG, html: `<p>Hello {{name}}, ${n} and ${nth}</p>` }),
    },
    {
      name: 'diff',
      grows: 'versions',
      run: (nth) => call('diff_versions', { template: LONG, from: `v1.0.${any(nth)}`, to: 'main' }),
    },
    { name: 'list versions', grows: 'versions', run: () => call('list_versions', { template: LONG }) },
    { name: 'list history', grows: 'hooks', run: () => call('list_history', {}) },
    {
      name: 'list history, q',
      grows: 'hooks',
      run: (nth) => call('list_history', { q: `topic ${any(nth)}` }),
    },
    {
      name: 'generate',
      grows: 'hooks',
      run: (nth) =>
        call('generate_hooks', {
          topic: `copper kettles ${nth}`,
          count: 3,
          provider: 'builtin',
          language: 'en',
        }),
    },
    { name: 'list videos', grows: 'videos', run: () => call('list_videos', {}) },
    {
      name: 'video frame',
      grows: 'videos',
      run: (nth) => app.videos.frame(accountId, `vid_grown${any(nth)}`, { ...frame, signal }),
    },
    { name: 'MCP tools/list', grows: 'accounts', run: () => mcp('tools/list') },
    {
      name: 'key, not in the cache',
      grows: 'accounts',
      run: (nth) => app.credentials.resolve(keys[nth % KEYS] ?? '', {}),
    },
    // The last: the work that its first run leaves in the background would be counted with the others.
    { name: 'sync plan', grows: 'rows', calls: PLANS, run: async () => call('preview_sync', await pair()) },
  ];
  return { operations, close: () => server.close() };
}

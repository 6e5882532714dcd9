import { setTimeout as sleep } from 'node:timers/promises';
import { data, source } from '../invoice.ts';

/** The kinds of call that shops make, and how many of 100 calls are of each kind. */
const SHARES = { render: 60, read: 20, write: 10, export: 5, hook: 3, video: 2 } as const;
export type Kind = keyof typeof SHARES;
export const KINDS = Object.keys(SHARES) as Kind[];

/** Each kind as evenly as its share allows: call `n` is of kind `ORDER[n % 100]`. */
export const ORDER: readonly Kind[] = KINDS.flatMap((kind) =>
  Array.from({ length: SHARES[kind] }, (_, nth) => ({ kind, at: (nth + 0.5) / SHARES[kind] })),
)
  .sort((a, b) => a.at - b.at)
  .map(({ kind }) => kind);

/** Sends a request as a shop. @throws Error for an answer that is not 2xx */
export type Send = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** What the server has said it keeps: the subject of each template, and the shop that wrote it. */
export type Kept = Map<string, { readonly shop: number; readonly subject: string }>;

export const SHOPS = 20;
const INVOICE = 'invoice';
const VIDEO = { duration: 2, width: 540, height: 960, quality: 'draft' };
const READS = ['/v1/templates?limit=20', `/v1/templates/${INVOICE}`, '/api/v1/history', '/videos'];
const UNFINISHED = ['pending', 'rendering', 'finalizing'];
const POLL_MS = 250;

/** What every shop has before the load starts. */
export async function stock(send: Send): Promise<void> {
  await send('POST', '/v1/templates', { name: INVOICE, html: source, subject: 'Your invoice' });
}

/** Makes call `n` as one of the shops, and notes what the server has acknowledged. */
export async function makeCall(kind: Kind, n: number, shop: number, send: Send, kept: Kept): Promise<void> {
  switch (kind) {
    case 'render':
      await send('POST', '/v1/render', { template: INVOICE, data });
      return;
    case 'read':
      await send('GET', READS[n % READS.length] ?? '/v1/templates');
      return;
    case 'write': {
      const [name, subject] = [`mail-${n}`, `Offer ${n}`];
      await send('POST', '/v1/templates', { name, html: `<p>Offer ${n} for {{name}}</p>`, subject });
      kept.set(name, { shop, subject });
      return;
    }
    case 'export':
      await send('POST', '/v1/export', { template: INVOICE, format: 'pdf', data });
      return;
    case 'hook': {
      const topic = `copper kettles, request ${n}`;
      await send('POST', '/api/v1/generate', { topic, count: 5, provider: 'provider_a' });
      return;
    }
    case 'video':
      await makeVideo({ ...VIDEO, title: `New in the shop, number ${n}` }, send);
  }
}

async function makeVideo(order: object, send: Send): Promise<void> {
  let video = await send('POST', '/videos', order);
  while (UNFINISHED.includes(String(video['status']))) {
    await sleep(POLL_MS);
    video = await send('GET', `/videos/${video['id']}`);
  }
  if (video['status'] !== 'completed') throw new Error(`a video is ${video['status']}`);
}

import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createChildren } from './children.ts';
import { loadAverage } from './machine.ts';
import { median } from './results.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';
import { DOMAIN } from './sync/connection.ts';
import { connectBoth, post, runToEnd } from './sync/running-server.ts';

const USAGE = `Measures how long a sale takes from Shopify's webhook to the cell of the sheet. See bench/README.md.

  DATABASE_URL=postgres://root@127.0.0.1:5432/postgres node bench/realtime.ts [--sizes 1000,50000] [--sales 10]`;

const ROOT = join(import.meta.dirname, '..');
const SECRET = 'the secret that signs the webhooks of this benchmark';
const POLL_MS = 10;
/** From the webhook to the cell, at any size; a bench that takes longer fails. */
const MOST_MS = 3_000;
const LONGEST_MS = 120_000;

const Places = z.object({ store: z.string(), sheet: z.string() });
const Saved = z.object({ id: z.string() });
const Sold = z.object({ sku: z.string(), item: z.number(), available: z.number() });
const Shown = z.object({ value: z.unknown() });

await runBench(async (signal) => {
  const { values } = parseArgs({
    options: { sizes: { type: 'string', default: '1000,50000' }, sales: { type: 'string', default: '10' } },
  });
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl === undefined) throw new Error(`DATABASE_URL names a PostgreSQL.\n\n${USAGE}`);
  console.log(`load average before: ${loadAverage()}`);
  for (const size of values.sizes.split(',').map(Number)) {
    const [first = 0, ...times] = await measure({ size, sales: Number(values.sales), databaseUrl, signal });
    const longest = Math.max(...times);
    if (longest > MOST_MS) process.exitCode = 1;
    console.log(
      `${size} variants: first ${first.toFixed(0)} ms, which reads all; then median ${median(times).toFixed(0)} ms, longest ${longest.toFixed(0)} ms of ${times.length} sales, at most ${MOST_MS} wanted`,
    );
  }
  console.log(`load average after: ${loadAverage()}`);
});

type Given = {
  readonly size: number;
  readonly sales: number;
  readonly databaseUrl: string;
  readonly signal: AbortSignal;
};

/** From each webhook to the cell, in milliseconds. */
async function measure({ size, sales, databaseUrl, signal }: Given): Promise<number[]> {
  using cleanUp = new DisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  await using database = await createScratchDatabase(databaseUrl);
  await using children = createChildren(folder, signal);
  const peers = await children.start('peers', [join(ROOT, 'bench/sync/peers.ts'), String(size), 'small']);
  const ask = async (path: string) => (await fetch(`${peers.url}${path}`, { signal })).json();
  const { store, sheet } = Places.parse(await ask('/places'));
  const { url } = await children.start('server', [join(ROOT, 'http/main.ts')], {
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    ENCRYPTION_KEY: 'a key that only this benchmark has and knows',
    SHOPIFY_BASE_URL: store,
    GOOGLE_BASE_URL: sheet,
  });
  await prepare(url);
  const times: number[] = [];
  for (let nth = 0; nth < sales; nth++) {
    const { sku, item, available } = Sold.parse(await ask(`/sell?nth=${(nth * 7919) % size}`));
    const from = performance.now();
    await deliver(url, { inventory_item_id: item, available });
    while (Shown.parse(await ask(`/cell?sku=${sku}`)).value !== available) {
      if (performance.now() - from > LONGEST_MS) throw new Error(`the sale of ${sku} never came`);
      await sleep(POLL_MS, undefined, { signal });
    }
    times.push(performance.now() - from);
  }
  return times;
}

/** Both sides connected and in sync, with a realtime configuration. */
async function prepare(url: string): Promise<void> {
  const pair = await connectBoth(url, { webhook_secret: SECRET });
  const mappings = [
    { sheet_column: 'SKU', store_field: 'sku' },
    { sheet_column: 'Quantity', store_field: 'inventory_quantity' },
  ];
  const { id: config_id } = Saved.parse(
    await post(`${url}/sync/config`, { ...pair, mappings, realtime: true }),
  );
  // The first run reads all and fills the sheet; the one after it reads all that the first has written.
  for (let nth = 0; nth < 2; nth++) {
    const { status } = await runToEnd(url, { config_id });
    if (status !== 'succeeded') throw new Error(`the first sync is ${status}`);
  }
}

async function deliver(url: string, change: object): Promise<void> {
  const body = JSON.stringify(change);
  const response = await fetch(`${url}/webhooks/shopify`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'inventory_levels/update',
      'x-shopify-shop-domain': DOMAIN,
      'x-shopify-webhook-id': randomUUID(),
      'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
    },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Caller, SCOPES } from '../src/identity/caller.ts';
import { productRegistry } from '../tools/index.ts';
import { createRunJob } from '../tools/jobs/run-job.ts';
import { createVideoPresenter } from '../tools/videos/video-output.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';
import { type CallTool, toolCalls } from './tool-calls.ts';

/*
 * npm run measure: counts, not times. How many SQL statements the product sends for one render, one change of a
 * template, one sync, one video, and while it is idle; and how large its files are. A statement of the queue is one that
 * names the schema of pg-boss. With DATABASE_URL it measures PostgreSQL, otherwise the embedded database.
 */

type Count = { readonly own: number; readonly queue: number };

const IDLE_SECONDS = 20;
const log = pino({ level: 'silent' });
const registry = productRegistry();

await runBench(async () => {
  await printFiles();
  const url = process.env['DATABASE_URL'];
  await using scratch = url === undefined ? undefined : await createScratchDatabase(url);
  await printStatements(scratch?.url);
});

/** How many files there are, and how long they are, by folder. */
async function printFiles(): Promise<void> {
  const root = join(import.meta.dirname, '..');
  const lengths: number[] = [];
  for (const folder of ['src', 'tools', 'http', 'cli']) {
    const names = await readdir(join(root, folder), { recursive: true });
    const files = names.filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')));
    lengths.push(...texts.map((text) => text.split('\n').length - 1));
    print(`files in ${folder}/`, String(files.length));
  }
  lengths.sort((one, other) => one - other);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(share * lengths.length))];
  print('files in all', String(lengths.length));
  print('lines a file: median, p90, longest', `${at(0.5)}, ${at(0.9)}, ${at(1)}`);
}

async function printStatements(databaseUrl: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-measure-'));
  let count = { own: 0, queue: 0 };
  const onQuery = (statement: string) => {
    if (/pgboss/i.test(statement)) count = { ...count, queue: count.queue + 1 };
    else count = { ...count, own: count.own + 1 };
  };
  const env = {
    DATA_DIR: folder,
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'a key that only this measurement has',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const app = await createApp({ config: readConfig(env), log, onQuery });
  const during = async (work: () => Promise<unknown>): Promise<Count> => {
    count = { own: 0, queue: 0 };
    await work();
    return count;
  };
  try {
    const caller: Caller = {
      accountId: (await app.accounts.create('measure')).id,
      actor: 'measure',
      scopes: SCOPES,
      via: 'api_key',
    };
    const call = caller && toolCalls({ app, registry, log, caller });
    await printTemplates(call, during);
    await app.jobs.start({ run: createRunJob({ app, registry, log }) });
    await app.sync.start();
    await app.videos.start();
    app.webhooks.start({ presentVideo: createVideoPresenter(app.videos.links) });
    await delay(5_000);
    await printSync(call, during);
    printCount('video of 1 s', await during(() => makeVideo(call)));
    await delay(5_000);
    const idle = await during(() => delay(IDLE_SECONDS * 1_000));
    printCount(`idle for ${IDLE_SECONDS} s`, idle);
    print('idle, statements a second', ((idle.own + idle.queue) / IDLE_SECONDS).toFixed(2));
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type During = (work: () => Promise<unknown>) => Promise<Count>;

async function printTemplates(call: CallTool, during: During): Promise<void> {
  await call('create_template', { name: 'frame', kind: 'layout', html: '<main>{{> @partial-block}}</main>' });
  await call('create_template', { name: 'signature', kind: 'partial', html: '<p>{{sender}}</p>' });
  const html = '<p>Hello {{name}}</p>{{> signature}}';
  await call('create_template', { name: 'letter', html, subject: 'Hi', layout: 'frame' });
  const render = () => call('render_template', { template: 'letter', data: { name: 'Ana', sender: 'Ben' } });
  printCount('render with a layout and a partial, cold', await during(render));
  printCount('render with a layout and a partial, warm', await during(render));
  const change = () => call('update_template', { name: 'letter', html: `${html}<p>Bye</p>` });
  printCount('PATCH of a template', await during(change));
}

async function printSync(call: CallTool, during: During): Promise<void> {
  const store = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'demo' });
  const sheet = await call('connect_sheet', { spreadsheet_id: 'demo', name: 'Stock' });
  const pair = { store_id: store['id'], sheet_id: sheet['id'], direction: 'store_to_sheet' };
  const run = () => call('run_sync', pair);
  await run();
  printCount('sync of 59 rows, nothing changed', await during(run));
}

async function makeVideo(call: CallTool): Promise<void> {
  const { id } = await call('create_video', { title: 'Hello', duration: 1 });
  for (;;) {
    const video = await call('get_video', { video_id: id, wait_seconds: 60 });
    if (video['status'] === 'completed') return;
    if (video['status'] === 'failed') throw new Error(`The video failed: ${JSON.stringify(video)}`);
  }
}

function printCount(what: string, { own, queue }: Count): void {
  print(what, `${own + queue} statements (${own} own, ${queue} of the queue)`);
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(44)} ${figure}\n`);
}

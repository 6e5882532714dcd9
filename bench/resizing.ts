import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { createChildren } from './children.ts';
import { loadAverage } from './machine.ts';
import { align, median, percentile } from './results.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Measures how long renders take while 100 other sizes and formats of one photo are requested at once. Each round
measures them idle and beside the resizing, in turn, with a photo of its own.

  node bench/resizing.ts [--rounds 3] [--renders 200]`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    renders: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
});

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** A network is allowed 60 at once; here it is the work that counts. */
const UNLIMITED = JSON.stringify({ variant: { perSecond: 1_000, burst: 1_000 } });
const SIDES = [
  16, 32, 48, 64, 96, 128, 160, 200, 256, 320, 400, 480, 600, 640, 750, 828, 960, 1080, 1200, 1440, 1600,
  1920, 2048, 2560,
];
const QUERIES = [
  ...SIDES.flatMap((w) => [`w=${w}`, `w=${w}&format=webp`, `w=${w}&h=400`, `w=${w}&h=640&fit=contain`]),
  ...SIDES.slice(-4).map((h) => `h=${h}&format=webp`),
];

if (values.help) console.log(USAGE);
else await runBench(measure);

async function measure(signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-resizing-'));
  try {
    await using children = createChildren(folder, signal);
    const settings = { PORT: '0', DATA_DIR: join(folder, 'data'), RATE_LIMITS: UNLIMITED };
    const { url } = await children.start('server', [join(ROOT, 'http/main.ts')], settings);
    await renderTimes(url, Number(values.renders));
    const rows = [['round', 'idle ms', 'p95', 'beside ms', 'p95', 'ratio', 'renders', 'sizes made']];
    const ratios: number[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      const photo = await uploadPhoto(url, round);
      const idle = await renderTimes(url, Number(values.renders));
      const resizing = Promise.all(QUERIES.map((query) => statusOf(`${photo}?${query}`)));
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      resizing.then(end, end);
      const beside = await renderTimes(url, Number.POSITIVE_INFINITY, () => isOver);
      const made = (await resizing).filter((status) => status === 200).length;
      const ratio = median(beside) / median(idle);
      ratios.push(ratio);
      const times = [idle, beside].flatMap((all) => [median(all).toFixed(1), percentile(all, 95).toFixed(1)]);
      rows.push([String(round), ...times, ratio.toFixed(2), String(beside.length), String(made)]);
    }
    console.log(align(rows));
    console.log(
      `\nmedian ratio ${median(ratios).toFixed(2)}, at most 2 wanted; load average ${loadAverage()}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of one render after the other. */
async function renderTimes(url: string, count: number, isOver = () => false): Promise<number[]> {
  const body = JSON.stringify({ template: 'welcome', data: { name: 'Ana' } });
  const headers = { 'content-type': 'application/json' };
  const times: number[] = [];
  while (times.length < count && !isOver()) {
    const from = performance.now();
    const response = await fetch(`${url}/v1/render`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    times.push(performance.now() - from);
  }
  return times;
}

/** A photo of 12 megapixels with grain, as a phone takes it. @returns its public address */
async function uploadPhoto(url: string, round: number): Promise<string> {
  const noise = { type: 'gaussian', mean: 90 + round, sigma: 30 } as const;
  const create = { width: 4000, height: 3000, channels: 3, background: '#000', noise } as const;
  const photo = await sharp({ create }).jpeg().toBuffer();
  const sent = await fetch(`${url}/v1/assets/photo-${round}.jpg`, {
    method: 'PUT',
    body: Buffer.from(photo),
  });
  if (!sent.ok) throw new Error(await sent.text());
  const { url: address } = (await sent.json()) as { url: string };
  return address;
}

async function statusOf(address: string): Promise<number> {
  const response = await fetch(address);
  await response.arrayBuffer();
  return response.status;
}

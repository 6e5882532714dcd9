import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Handlebars from 'handlebars';
import { pino } from 'pino';
import type { createBrowser, ScreenshotOptions } from '../src/platform/browser/browser.ts';
import { data, source } from './invoice.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Measures the images of a preview: one, and six (3 devices, light and dark), alone and beside another checkout.

  npm run bench:preview -- [--rounds 12] [--before CHECKOUT]`;

const DEVICES = [
  { width: 800, mobile: false },
  { width: 600, mobile: true },
  { width: 375, mobile: true },
] as const;
const SIX: readonly ScreenshotOptions[] = DEVICES.flatMap((device) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...device, colorScheme, compact: true })),
);
const WARM_UP = 3;

type Figures = { readonly name: string; readonly one: number; readonly six: number; readonly kB: number };

await runBench(async (signal) => {
  const { rounds, before } = readOptions();
  const html = Handlebars.compile(source)(data);
  await using cleanUp = new AsyncDisposableStack();
  const roots = [
    ['stallhand', join(import.meta.dirname, '..')],
    ...(before ? [['before', resolve(before)]] : []),
  ];
  const browsers = await Promise.all(
    roots.map(async ([name = '', root = '']) => {
      const path = join(root, 'src/platform/browser/browser.ts');
      const own = (await import(pathToFileURL(path).href)) as { createBrowser: typeof createBrowser };
      const browser = own.createBrowser({ log: pino({ level: 'silent' }) });
      cleanUp.defer(() => browser.close());
      return { name, browser };
    }),
  );
  const all: Figures[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { name, browser } of round % 2 === 0 ? browsers : browsers.toReversed()) {
      const take = async (shots: readonly ScreenshotOptions[]) => {
        const began = performance.now();
        const images = await browser.screenshot(html, shots, { signal });
        const bytes = images.reduce((sum, { png }) => sum + png.length, 0);
        return { ms: performance.now() - began, kB: bytes / images.length / 1000 };
      };
      const { ms: one } = await take(SIX.slice(0, 1));
      const { ms: six, kB } = await take(SIX);
      if (round >= 0) all.push({ name, one, six, kB });
    }
  }
  console.log(report(all));
});

function readOptions() {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '12' }, before: { type: 'string' } },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`Rounds are a whole number from 1.\n\n${USAGE}`);
  return { rounds, before: values.before };
}

function report(all: readonly Figures[]): string {
  const before = all.filter(({ name }) => name === 'before');
  const lines = [['', 'one, ms', 'six, ms', 'six / one', 'kB an image', 'one to before', 'six to before']];
  for (const [name, group] of Map.groupBy(all, (figures) => figures.name)) {
    const beside = (of: 'one' | 'six') =>
      median(group.map((own, round) => own[of] / (before[round]?.[of] ?? NaN)));
    lines.push([
      name,
      median(group.map(({ one }) => one)).toFixed(0),
      median(group.map(({ six }) => six)).toFixed(0),
      median(group.map(({ one, six }) => six / one)).toFixed(2),
      median(group.map(({ kB }) => kB)).toFixed(0),
      before.length > 0 ? beside('one').toFixed(2) : '-',
      before.length > 0 ? beside('six').toFixed(2) : '-',
    ]);
  }
  return align(lines);
}

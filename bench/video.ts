import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { resolveBrowser } from '../src/platform/browser/resolve-browser.ts';
import { run } from './children.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import {
  type CompositionName,
  hyperframesRenderer,
  ourRenderer,
  type Renderer,
  remotionRenderer,
} from './video/renderers.ts';
import { watchTree } from './video/watch-tree.ts';

const USAGE = `Renders two compositions of 1080 × 1920 at 30 frames a second beside Remotion and hyperframes. See bench/README.md.

  npm run bench:video -- [--rounds 5] [--seconds 10] [--compositions hold,comp] [--alone] [--before CHECKOUT] [--json FILE]

The others are installed by: npm install --ignore-scripts --prefix bench/video/peers
--alone measures this one only, and with --before another checkout in the same rounds.`;

const FPS = 30;
/** What is compared, and what it is called. */
const WORDS = { wall: 'wall', cpu: 'cpu', mebibytes: 'peak MiB' };

type Plan = {
  readonly rounds: number;
  readonly seconds: number;
  readonly compositions: readonly CompositionName[];
  readonly alone: boolean;
  readonly before: string | undefined;
};

type Figures = {
  readonly composition: CompositionName;
  readonly round: number;
  readonly name: string;
  readonly wall: number;
  readonly cpu: number;
  readonly mebibytes: number;
  readonly bytes: number;
};

await runBench((signal) => measure(readOptions(), signal));

function readOptions(): { plan: Plan; json: string | undefined } {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '10' },
      compositions: { type: 'string', default: 'hold,comp' },
      alone: { type: 'boolean', default: false },
      before: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const compositions = z.array(z.enum(['hold', 'comp'])).safeParse(values.compositions.split(','));
  const { alone, before } = values;
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds), alone, before };
  const whole = [plan.rounds, plan.seconds].every((n) => Number.isInteger(n) && n > 0);
  if (!whole || !compositions.success) throw new Error(`That is no plan.\n\n${USAGE}`);
  const installed = existsSync(new URL('video/peers/node_modules/remotion/package.json', import.meta.url));
  if (!alone && !installed) throw new Error(`The others are not installed.\n\n${USAGE}`);
  return { plan: { ...plan, compositions: compositions.data }, json: values.json };
}

async function measure(options: ReturnType<typeof readOptions>, signal: AbortSignal): Promise<void> {
  const { plan, json } = options;
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const { executable: browser } = await resolveBrowser({ executablePath, log: pino({ level: 'silent' }) });
  const facts = { ...machineFacts(), browser, load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);
  await makePhoto(folder, signal);

  const base = { folder, browser, signal };
  const ours = [ourRenderer(base)];
  if (plan.before !== undefined) ours.push(ourRenderer(base, 'before', resolve(plan.before)));
  const others = plan.alone ? [] : [await remotionRenderer(base), hyperframesRenderer(base)];
  const renderers = [...ours, ...others];
  // The first render of each checkout fills its compile cache.
  for (const one of ours) await renderOnce(one, { composition: 'hold', seconds: 1, folder }, signal);
  const all: Figures[] = [];
  for (const composition of plan.compositions) {
    for (let round = 1; round <= plan.rounds; round++) {
      for (const renderer of inTurn(renderers, round)) {
        const figures = await renderOnce(renderer, { composition, seconds: plan.seconds, folder }, signal);
        all.push({ composition, round, ...figures });
      }
      console.log(`${composition}, round ${round} of ${plan.rounds}, load average ${loadAverage()}`);
    }
  }
  const names = renderers.map(({ name }) => name);
  for (const composition of plan.compositions) console.log(`\n${report(composition, names, all)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, plan, figures: all }, null, 2)}\n`);
}

async function makePhoto(folder: string, signal: AbortSignal): Promise<void> {
  mkdirSync(join(folder, 'public'));
  const picture = ['-f', 'lavfi', '-i', 'mandelbrot=size=1200x1200:rate=1:start_scale=1.2'];
  const output = ['-frames:v', '1', '-q:v', '3', join(folder, 'public/photo.jpg')];
  await run('ffmpeg', ['-v', 'error', ...picture, ...output], {}, signal);
}

// Rotates the order, so that each renderer takes every position in turn.
function inTurn(renderers: readonly Renderer[], round: number): readonly Renderer[] {
  const first = round % renderers.length;
  return [...renderers.slice(first), ...renderers.slice(0, first)];
}

type Task = { readonly composition: CompositionName; readonly seconds: number; readonly folder: string };

async function renderOnce(
  { name, command, environment }: Renderer,
  { composition, seconds, folder }: Task,
  signal: AbortSignal,
) {
  const output = join(folder, `${name}.mp4`);
  const [program = '', ...args] = command(composition, seconds, output);
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, TMPDIR: folder, ...environment };
  const began = performance.now();
  const child = spawn(program, args, { env, signal, stdio: ['ignore', 'ignore', 'pipe'] });
  const words: string[] = [];
  child.stderr.on('data', (piece) => words.push(String(piece)));
  const watch = watchTree(child.pid ?? 0);
  const [code] = await once(child, 'exit');
  const wall = (performance.now() - began) / 1000;
  const { cpuSeconds, peakMebibytes } = watch.stop();
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${words.join('').slice(-2000)}`);
  await assertFrames(output, seconds * FPS, signal);
  return { name, wall, cpu: cpuSeconds, mebibytes: peakMebibytes, bytes: statSync(output).size };
}

/** @throws Error when the file has another number of frames than was asked for */
async function assertFrames(file: string, frames: number, signal: AbortSignal): Promise<void> {
  const entries = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  const counted = await run('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, file], {}, signal);
  if (Number.parseInt(counted, 10) !== frames) throw new Error(`${file} has ${counted.trim()} frames`);
}

function report(composition: CompositionName, names: readonly string[], all: readonly Figures[]): string {
  const figures = all.filter((one) => one.composition === composition);
  const rows = names.map((name) => {
    const own = figures.filter((one) => one.name === name);
    const middle = (of: (one: Figures) => number) => median(own.map(of));
    return [
      name,
      middle(({ wall }) => wall).toFixed(2),
      middle(({ cpu }) => cpu).toFixed(1),
      String(Math.max(...own.map(({ mebibytes }) => mebibytes))),
      (middle(({ bytes }) => bytes) / 1e6).toFixed(2),
    ];
  });
  const [first = '', ...others] = names;
  const ratios = others.flatMap((other) =>
    (['wall', 'cpu', 'mebibytes'] as const).map((what) => ratio(figures, [first, other], what)),
  );
  return [align([[composition, 'wall s', 'cpu s', 'peak MiB', 'MB'], ...rows]), ...ratios].join('\n');
}

/** Within each round, since the machine is not alike in all of them. */
function ratio(
  figures: readonly Figures[],
  [of = '', to = '']: readonly string[],
  what: keyof typeof WORDS,
): string {
  const rounds = [...Map.groupBy(figures, ({ round }) => round).values()].flatMap((round) => {
    const [above, below] = [of, to].map((name) => round.find((one) => one.name === name));
    return above && below ? [above[what] / below[what]] : [];
  });
  const range = `${Math.min(...rounds).toFixed(2)} to ${Math.max(...rounds).toFixed(2)}`;
  return `${WORDS[what]}: ${of} / ${to}: ${median(rounds).toFixed(2)} (${range} over ${rounds.length} rounds)`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from './children.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import { watchTree } from './video/watch-tree.ts';

const USAGE = `Renders a video of 1080 × 1920 in which much moves, without and with a clip that fills it. Fails where the clip makes it
take longer than the bar allows. See bench/README.md.

  npm run bench:clips -- [--rounds 5] [--seconds 10] [--bar 1.3]`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    bar: { type: 'string', default: '1.3' },
    help: { type: 'boolean', default: false },
  },
});

type Cost = { readonly wall: number; readonly cpu: number; readonly mebibytes: number };
type Round = { readonly without: Cost; readonly with: Cost };
type Files = { readonly photo: string; readonly clip: string; readonly folder: string };

if (values.help) console.log(USAGE);
else await runBench(measure);

async function measure(signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  try {
    console.log(JSON.stringify({ ...machineFacts(), load_average: loadAverage() }));
    const files = await makeFiles(folder, signal);
    const rounds: Round[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      rounds.push(await renderBoth(files, round, signal));
      console.log(`round ${round + 1} of ${values.rounds}, load average ${loadAverage()}`);
    }
    report(rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A photo, and a clip as a phone has it: upright, H.264, and no frame like the one before. */
async function makeFiles(folder: string, signal: AbortSignal): Promise<Files> {
  const [photo, clip] = [join(folder, 'photo.jpg'), join(folder, 'clip.mp4')];
  const make = (...args: string[]) => run('ffmpeg', ['-v', 'error', ...args], {}, signal);
  await make('-f', 'lavfi', '-i', 'mandelbrot=size=1200x1200:rate=1', '-frames:v', '1', photo);
  const moving = `mandelbrot=size=1080x1920:rate=30:end_pts=${300 * 30}`;
  const encoded = ['-t', values.seconds, '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];
  await make('-f', 'lavfi', '-i', moving, ...encoded, clip);
  return { photo, clip, folder };
}

// In turn, so that neither is always first.
async function renderBoth(files: Files, round: number, signal: AbortSignal): Promise<Round> {
  const isFirst = round % 2 === 0;
  const early = await render(files, isFirst, signal);
  const late = await render(files, !isFirst, signal);
  return isFirst ? { with: early, without: late } : { with: late, without: early };
}

async function render({ photo, clip, folder }: Files, hasClip: boolean, signal: AbortSignal): Promise<Cost> {
  const page = join(folder, 'page.html');
  writeFileSync(page, pageOf(hasClip));
  const script = join(import.meta.dirname, 'video', 'render-ours.ts');
  const args = [page, photo, values.seconds, join(folder, 'video.mp4'), ...(hasClip ? [clip] : [])];
  const began = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    signal,
  });
  const watched = watchTree(child.pid ?? 0);
  const [code] = await once(child, 'exit');
  const wall = (performance.now() - began) / 1000;
  const { cpuSeconds: cpu, peakMebibytes: mebibytes } = watched.stop();
  if (code !== 0) throw new Error(`the render ended with ${code}`);
  return { wall, cpu, mebibytes };
}

/** The page of `bench:video` in which more moves. */
function pageOf(hasClip: boolean): string {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, 'video', 'compositions', name), 'utf8');
  const page = read('hold.html').replace('</style>', `${read('moving.css')}</style>`);
  const clip = '<video src="{{clip}}" muted style="inset:0;width:100%;height:100%;object-fit:cover"></video>';
  return hasClip ? page.replace('<div id="stage">', `<div id="stage">${clip}`) : page;
}

function report(rounds: readonly Round[]): void {
  const row = (name: string, of: (round: Round) => Cost) => {
    const costs = rounds.map(of);
    const middle = (what: keyof Cost) => median(costs.map((cost) => cost[what]));
    return [name, middle('wall').toFixed(2), middle('cpu').toFixed(1), String(middle('mebibytes'))];
  };
  const rows = [row('without', (round) => round.without), row('with a clip', (round) => round.with)];
  console.log(align([['', 'wall s', 'cpu s', 'peak MiB'], ...rows]));
  const ratio = (what: keyof Cost) => median(rounds.map((round) => round.with[what] / round.without[what]));
  const wall = ratio('wall');
  console.log(`with / without, in each round: wall ${wall.toFixed(2)}, cpu ${ratio('cpu').toFixed(2)}`);
  if (wall > Number(values.bar)) throw new Error(`A clip may take ${values.bar} times as long at most.`);
}

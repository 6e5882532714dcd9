import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readBuiltIns } from '../src/videos/templates/built-ins.ts';
import { loadAverage } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import { watchTree } from './video/watch-tree.ts';

const USAGE = `Renders the built-in video templates of two checkouts in turn, and compares their processor time.

  node bench/video-templates.ts --before DIRECTORY [--after .] [--templates hook,stats] [--rounds 2] [--seconds 6]
    [--height 960]

A checkout is a git worktree with its node_modules. Processor time is of the whole process tree, the browser's too.`;

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: '.' },
    templates: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '6' },
    height: { type: 'string', default: '960' },
    help: { type: 'boolean', default: false },
  },
});

const TRIES = 3;

if (values.help || !values.before) console.log(USAGE);
else await runBench((signal) => compare({ before: values.before ?? '', after: values.after }, signal));

async function compare(checkouts: { before: string; after: string }, signal: AbortSignal): Promise<void> {
  const names = values.templates?.split(',') ?? (await readBuiltIns()).templates.map(({ name }) => name);
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  const rows = [['template', 'before s', 'after s', 'ratio', 'painted by']];
  try {
    for (const name of names) {
      const [before, after]: [number[], number[]] = [[], []];
      let ways = '';
      for (let round = 0; round < Number(values.rounds); round += 1) {
        before.push((await render(checkouts.before, name, folder, signal)).cpu);
        const now = await render(checkouts.after, name, folder, signal);
        after.push(now.cpu);
        ways = now.ways;
      }
      const [one, other] = [median(before), median(after)];
      console.log(`${name}: ${(other / one).toFixed(2)}`);
      rows.push([name, one.toFixed(1), other.toFixed(1), (other / one).toFixed(2), ways]);
    }
    console.log(align(rows));
    console.log(`load average ${loadAverage()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A busy machine can exceed the limits of a template; such a run is made again. */
async function render(
  checkout: string,
  name: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ cpu: number; ways: string }> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await renderOnce(checkout, name, folder, signal);
    } catch (error) {
      if (tried === TRIES || signal.aborted) throw error;
    }
  }
}

async function renderOnce(checkout: string, name: string, folder: string, signal: AbortSignal) {
  const script = join(import.meta.dirname, 'video', 'render-template.ts');
  const args = [resolve(checkout), name, values.seconds, values.height, join(folder, 'video.mp4')];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  const watched = watchTree(child.pid ?? 0);
  const [ways, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const { cpuSeconds: cpu } = watched.stop();
  if (code !== 0) throw new Error(`${name} of ${checkout} ended with ${code}`);
  return { cpu, ways };
}

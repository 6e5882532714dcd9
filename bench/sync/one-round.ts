import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Direction } from '../../src/sync/config.ts';
import { createChildren, run } from '../children.ts';
import { createScratchDatabase } from '../scratch-database.ts';
import { Cost } from './connection.ts';
import { prepareDatabase } from './prepare-database.ts';

const Counts = z.object({
  store_calls: z.number(),
  polls: z.number(),
  points: z.number(),
  sheet_reads: z.number(),
  sheet_writes: z.number(),
});
const Places = z.object({ store: z.string(), sheet: z.string(), location: z.string() });
const Differing = z.object({ differing: z.number(), violations: z.array(z.string()) });

/** One run: what it cost the process that made it, and what both sides were asked. */
export type Figures = z.output<typeof Counts> & Cost & { readonly variants: number; readonly name: string };

type Step = {
  readonly name: string;
  readonly direction: Direction;
  /** On which sides 1 % of the quantities change before it. */
  readonly changed: readonly ('store' | 'sheet')[];
  /** With how little memory V8 is to make do, where it is not left to itself. */
  readonly heap?: readonly string[];
};

/** Young objects are collected early, and what is live has to fit: what the run needs, not what V8 takes. */
const SMALL_HEAP = ['--max-semi-space-size=1', '--max-old-space-size=64'];

const STEPS: readonly Step[] = [
  { name: 'first, onto an empty sheet', direction: 'store_to_sheet', changed: [] },
  { name: 'unchanged', direction: 'store_to_sheet', changed: [] },
  { name: '1 % changed in the store', direction: 'store_to_sheet', changed: ['store'] },
  { name: '1 % changed in the sheet', direction: 'sheet_to_store', changed: ['sheet'] },
  { name: '1 % changed on each side', direction: 'two_way', changed: ['store', 'sheet'] },
  { name: 'two-way, unchanged', direction: 'two_way', changed: [] },
  {
    name: '1 % on each side, heap of 64 MiB',
    direction: 'two_way',
    changed: ['store', 'sheet'],
    heap: SMALL_HEAP,
  },
  { name: 'two-way, unchanged, heap of 64 MiB', direction: 'two_way', changed: [], heap: SMALL_HEAP },
];

const NAIVE: readonly Step[] = [
  { name: 'naive: first', direction: 'store_to_sheet', changed: [] },
  { name: 'naive: unchanged', direction: 'store_to_sheet', changed: [] },
];

const EVERY = 100;

type Round = {
  readonly variants: number;
  readonly databaseUrl: string;
  readonly folder: string;
  /** Where each process leaves a profile of its CPU, if anywhere. */
  readonly profiles: string | undefined;
  readonly signal: AbortSignal;
};

/** All steps, one after the other, on a store, a sheet and a database made for them; each run in a process of its own. */
export async function measureEngine(round: Round): Promise<Figures[]> {
  await using database = await createScratchDatabase(round.databaseUrl);
  await prepareDatabase(database.url);
  // Not before it has ended is the database dropped.
  const figures = await measureSteps(round, STEPS, {
    script: 'engine-run.ts',
    tab: 'small',
    databaseUrl: database.url,
  });
  const moved = figures.find(({ name, changed }) => name.includes('unchanged') && changed > 0);
  if (moved) throw new Error(`${moved.name}: ${moved.changed} rows changed`);
  return figures;
}

/** The same store and sheet kept by a short script, which only wall and CPU, calls and points can be compared with. */
export function measureNaive(round: Round): Promise<Figures[]> {
  return measureSteps(round, NAIVE, { script: 'naive-run.ts', tab: 'roomy', databaseUrl: '' });
}

type Contestant = { readonly script: string; readonly tab: 'small' | 'roomy'; readonly databaseUrl: string };

async function measureSteps(
  { variants, folder, profiles, signal }: Round,
  steps: readonly Step[],
  { script, tab, databaseUrl }: Contestant,
): Promise<Figures[]> {
  const own = join(folder, `${tab}-${variants}-${Date.now()}`);
  mkdirSync(own);
  await using children = createChildren(own, signal);
  const peers = await children.start('peers', [scriptOf('peers.ts'), String(variants), tab]);
  const ask = async (path: string) => (await fetch(`${peers.url}${path}`, { signal })).json();
  const places = Places.parse(await ask('/places'));
  const figures: Figures[] = [];
  for (const [nth, { name, direction, changed, heap = [] }] of steps.entries()) {
    for (const side of changed) await ask(`/change?side=${side}&every=${EVERY}&nth=${placeOf(nth, side)}`);
    await ask('/counts');
    const args = [...heap, ...profiling(profiles, `${variants} ${name}`), scriptOf(script)];
    const task = JSON.stringify({ ...places, direction });
    // As the image has it: else each process also holds the compiler that takes the types out of its sources.
    const environment = { DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
    const said = await run(process.execPath, [...args, task], environment, signal);
    const cost = Cost.parse(JSON.parse(said));
    figures.push({ variants, name, ...cost, ...Counts.parse(await ask('/counts')) });
    const { wall_s, cpu_s, peak_mib } = cost;
    console.log(
      `${variants}, ${name}: ${[wall_s, cpu_s].map((s) => s.toFixed(2)).join(' s wall, ')} s CPU, ${peak_mib.toFixed(0)} MiB`,
    );
    const { differing, violations } = Differing.parse(await ask('/differing'));
    if (differing > 0 || violations.length > 0)
      throw new Error(`${name}: ${differing} rows differ afterwards; ${violations.slice(0, 3).join('; ')}`);
  }
  return figures;
}

/** No variant is changed on both sides, or twice. */
function placeOf(step: number, side: 'store' | 'sheet'): number {
  return 7 * step + (side === 'store' ? 1 : 4);
}

function profiling(folder: string | undefined, name: string): string[] {
  if (folder === undefined) return [];
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${folder}`,
    `--cpu-prof-name=${name.replace(/\W+/g, '-')}.cpuprofile`,
  ];
}

function scriptOf(name: string): string {
  return join(import.meta.dirname, name);
}

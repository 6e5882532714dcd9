import { z } from 'zod';
import { awaitBulk } from './bulk-job.ts';
import { bulkLines } from './bulk-lines.ts';
import { parseLine } from './bulk-pages.ts';
import { START_BULK_MUTATION } from './operations.ts';
import { MUTATIONS, type Refusals, refusalsOf, type Step, StepAnswers } from './product-steps.ts';
import type { Shop } from './shop.ts';
import { stageFile } from './stage-file.ts';

/** Of the 100 MB that an upload may have, what is easily held. */
const FILE_CHARS = 20_000_000;

const Started = z.object({
  bulkOperationRunMutation: z.object({ bulkOperation: z.object({ id: z.string() }).nullish() }).nullable(),
});
const Line = z.object({ __lineNumber: z.number() });

/** What came of each step. Of those that are left out it is not known whether they were done: they may be sent again. */
export async function updateInBulk(
  shop: Shop,
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<Map<Step, Refusals>> {
  const done = new Map<Step, Refusals>();
  for (const kind of ['variants', 'title'] as const) {
    const own = steps.filter((step) => step.kind === kind);
    for (const file of filesOf(own)) {
      const url = await run(shop, kind, file, signal);
      if (url !== undefined) await readResults(shop, { url, file, done }, signal);
    }
  }
  return done;
}

type File = { readonly steps: Step[]; readonly lines: string[]; chars: number };

function filesOf(steps: readonly Step[]): File[] {
  const files: File[] = [];
  for (const step of steps) {
    const line = JSON.stringify(step.variables);
    let file = files.at(-1);
    if (!file || file.chars + line.length > FILE_CHARS) {
      file = { steps: [], lines: [], chars: 0 };
      files.push(file);
    }
    file.steps.push(step);
    file.lines.push(line);
    file.chars += line.length;
  }
  return files;
}

/** Where the results are; undefined where the store did not get it done. */
async function run(
  shop: Shop,
  kind: Step['kind'],
  file: File,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = await stageFile(shop, `${file.lines.join('\n')}\n`, signal);
  const variables = () => ({ mutation: MUTATIONS[kind].query, path });
  const started = await shop.ask({ query: START_BULK_MUTATION, variables, answer: Started }, signal);
  const id = started.bulkOperationRunMutation?.bulkOperation?.id;
  if (id === undefined) return undefined;
  const ended = await awaitBulk(shop, id, signal);
  return ended.state === 'done' ? (ended.url ?? undefined) : undefined;
}

type Results = { readonly url: string; readonly file: File; readonly done: Map<Step, Refusals> };

async function readResults(shop: Shop, { url, file, done }: Results, signal: AbortSignal): Promise<void> {
  for await (const lines of bulkLines(shop, url, signal)) {
    for (const line of lines) {
      if (line === '') continue;
      const result = readResult(parseLine(shop.domain, line), file.steps);
      if (result) done.set(...result);
    }
  }
}

/** Undefined where the line says that its step was not carried out. */
function readResult(value: unknown, steps: readonly Step[]): [Step, Refusals] | undefined {
  const number = Line.safeParse(value).data?.__lineNumber;
  const step = number === undefined ? undefined : steps[number];
  if (!step) return undefined;
  const result = z.object({ data: StepAnswers[step.kind] }).safeParse(value);
  return result.success ? [step, refusalsOf(step, result.data.data.userErrors)] : undefined;
}

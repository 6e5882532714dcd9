import { z } from 'zod';
import { awaitBulk, bulkLines, parseLine } from './bulk-job.ts';
import { FileFault } from './file-fetch.ts';
import { STAGE_UPLOAD, START_BULK_MUTATION } from './operations.ts';
import { MUTATIONS, type Refusals, refusalsOf, type Step, StepResponses } from './product-steps.ts';
import { refused, UserErrors, unavailable } from './read-reply.ts';
import type { Shop } from './shop-client.ts';
import { persist } from './shop-fetch.ts';

const Staged = z.object({
  stagedUploadsCreate: z.object({
    stagedTargets: z
      .array(
        z.object({
          url: z.string().nullable(),
          parameters: z.array(z.object({ name: z.string(), value: z.string() })),
        }),
      )
      .nullable(),
    userErrors: UserErrors,
  }),
});

const NAME = 'changes.jsonl';
const TYPE = 'text/jsonl';

/** Puts a file where the store's bulk operations find it, and answers by which path. */
async function stageFile(shop: Shop, content: string, signal: AbortSignal): Promise<string> {
  const { url, parameters } = await targetOf(shop, signal);
  const key = parameters.find(({ name }) => name === 'key')?.value;
  if (url === null || key === undefined) throw unavailable(shop.domain, 'no place for an upload');
  await persist({ ...shop, signal }, async () => {
    try {
      await shop.files.upload(url, formOf(parameters, content), signal);
      return { state: 'done', value: undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FileFault)) throw error;
      return { state: 'failed', about: error.message };
    }
  });
  return key;
}

async function targetOf(shop: Shop, signal: AbortSignal) {
  const input = [{ resource: 'BULK_MUTATION_VARIABLES', filename: NAME, mimeType: TYPE, httpMethod: 'POST' }];
  const query = { query: STAGE_UPLOAD, variables: () => ({ input }), response: Staged };
  const { stagedTargets, userErrors } = (await shop.request(query, signal)).stagedUploadsCreate;
  const [target] = stagedTargets ?? [];
  if (target) return target;
  throw refused(shop.domain, userErrors[0]?.message ?? 'no place for an upload');
}

/** The file comes last: what stands behind it is not read. */
function formOf(parameters: readonly { name: string; value: string }[], content: string): FormData {
  const form = new FormData();
  for (const { name, value } of parameters) form.append(name, value);
  form.append('file', new Blob([content], { type: TYPE }), NAME);
  return form;
}

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
  for (const kind of ['variants', 'product', 'metafields'] as const) {
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
  const started = await shop.request({ query: START_BULK_MUTATION, variables, response: Started }, signal);
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
  const result = z.object({ data: StepResponses[step.kind] }).safeParse(value);
  return result.success ? [step, refusalsOf(step, result.data.data.userErrors)] : undefined;
}

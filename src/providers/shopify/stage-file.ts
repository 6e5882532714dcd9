import { z } from 'zod';
import { FileTrouble } from './file-fetch.ts';
import { STAGE_UPLOAD } from './operations.ts';
import { persist } from './persist.ts';
import type { Shop } from './shop.ts';
import { refused, unavailable } from './shop-fault.ts';
import { UserErrors } from './user-errors.ts';

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
export async function stageFile(shop: Shop, content: string, signal: AbortSignal): Promise<string> {
  const { url, parameters } = await targetOf(shop, signal);
  const key = parameters.find(({ name }) => name === 'key')?.value;
  if (url === null || key === undefined) throw unavailable(shop.domain, 'no place for an upload');
  await persist({ ...shop, signal }, async () => {
    try {
      await shop.files.upload(url, formOf(parameters, content), signal);
      return { state: 'done', value: undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FileTrouble)) throw error;
      return { state: 'failed', about: error.message };
    }
  });
  return key;
}

async function targetOf(shop: Shop, signal: AbortSignal) {
  const input = [{ resource: 'BULK_MUTATION_VARIABLES', filename: NAME, mimeType: TYPE, httpMethod: 'POST' }];
  const question = { query: STAGE_UPLOAD, variables: () => ({ input }), answer: Staged };
  const { stagedTargets, userErrors } = (await shop.ask(question, signal)).stagedUploadsCreate;
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

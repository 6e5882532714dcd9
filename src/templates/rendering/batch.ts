import { scheduler } from 'node:timers/promises';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { firstIssues } from '../../platform/first-issues.ts';
import { mapAhead } from '../../platform/map-ahead.ts';
import type { TemplateContext } from '../context.ts';
import type { ResolvedTemplate } from '../resolve/resolve.ts';
import { Data, LIMITS } from '../schema.ts';
import type { Rendered, RenderInput } from './rendering.ts';

/** Names a row in the result, as the caller's own data does. */
export const RowId = z.union([z.string().max(200), z.int()]);
export const BatchRow = z.strictObject({ id: RowId.optional(), data: Data.default({}) });

export type BatchInput = Omit<RenderInput, 'data' | 'fixture' | 'unsaved'>;

type RowResult = { readonly id?: z.output<typeof RowId> } & (
  | { readonly rendered: Rendered }
  | { readonly fault: Fault }
);

/** One result per row: the rendered email or the fault. `index` counts from 0. */
export type BatchResult = { readonly index: number } & RowResult;

// The longest that a batch blocks the event loop for other calls.
const SLICE_MS = 10;
/** Rows at work where threads finish them: one in each of the two, and the next. More would take the room of other callers. */
const ROWS_AHEAD = 3;

/** Renders one template for many rows; memory does not grow with their number. */
export function createBatch({ rendering }: TemplateContext) {
  return {
    /**
     * A row is a Fault when the transport could not parse it. A bad row does not fail the others.
     * @throws Fault when the template cannot be rendered at all, or there are too many rows
     */
    async *render(
      accountId: string,
      input: BatchInput,
      rows: AsyncIterable<unknown>,
    ): AsyncGenerator<BatchResult> {
      const resolved = await rendering.resolve(accountId, input);
      const renderOne = async (row: unknown, index: number): Promise<BatchResult> => {
        if (index >= LIMITS.batchRows) throw new Fault('validation_failed.rows', { limit: LIMITS.batchRows });
        return { index, ...(await renderRow(resolved, input, row, { accountId, signal: input.signal })) };
      };
      const needsThreads = input.inlineCss || input.minify || input.plainText;
      let slice = performance.now();
      for await (const result of mapAhead(rows, needsThreads ? ROWS_AHEAD : 1, renderOne)) {
        yield result;
        if (performance.now() - slice < SLICE_MS) continue;
        await scheduler.yield();
        slice = performance.now();
      }
    },
  };

  async function renderRow(
    resolved: ResolvedTemplate,
    input: BatchInput,
    row: unknown,
    asker: QueueCaller,
  ): Promise<RowResult> {
    const parsed = row instanceof Fault ? row : parseRow(row);
    if (parsed instanceof Fault) return { fault: parsed };
    const id = parsed.id === undefined ? {} : { id: parsed.id };
    try {
      return {
        ...id,
        rendered: await rendering.finish(rendering.fill(resolved, parsed.data, input), input, asker),
      };
    } catch (error) {
      if (error instanceof Fault) return { ...id, fault: error };
      throw error;
    }
  }
}

function parseRow(row: unknown): z.output<typeof BatchRow> | Fault {
  const parsed = BatchRow.safeParse(row);
  if (parsed.success) return parsed.data;
  const errors = firstIssues(parsed.error.issues).map(({ path, message, code }) => ({
    loc: path.map(String),
    msg: message,
    type: code,
  }));
  const summary = errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return new Fault('validation_failed.input', { summary }, { errors });
}

import { scheduler } from 'node:timers/promises';
import { z } from 'zod';
import { Fault } from '../errors.ts';
import type { QueueCaller } from '../platform/fair-queue.ts';
import type { TemplateContext } from './context.ts';
import type { Plan } from './plans.ts';
import type { Rendered, RenderInput } from './rendering.ts';
import { Data, LIMITS } from './schema.ts';

export const BatchRow = z.strictObject({ id: z.string().max(200).optional(), data: Data.default({}) });

export type BatchInput = Omit<RenderInput, 'data' | 'fixture' | 'unsaved'>;

type RowResult = { readonly id?: string } & ({ readonly rendered: Rendered } | { readonly fault: Fault });

/** One answer a row: what was rendered, or why it was not. `index` counts from 0. */
export type BatchResult = { readonly index: number } & RowResult;

// A batch shares the process with everyone else's calls: this is the longest it keeps them waiting, in milliseconds.
const TURN_MS = 10;

/** Renders one template for many rows; memory does not grow with their number. */
export function createBatch({ rendering }: TemplateContext) {
  return {
    /**
     * A row may be a Fault, when the door could not even read it. A bad row fails alone.
     * @throws Fault when the template cannot be rendered at all, or there are too many rows
     */
    async *render(
      accountId: string,
      input: BatchInput,
      rows: AsyncIterable<unknown>,
    ): AsyncGenerator<BatchResult> {
      const plan = await rendering.plan(accountId, input);
      let turn = performance.now();
      let index = 0;
      for await (const row of rows) {
        if (index >= LIMITS.batchRows) throw new Fault('validation_failed.rows', { limit: LIMITS.batchRows });
        yield { index, ...(await renderRow(plan, input, row, { accountId, signal: input.signal })) };
        index++;
        if (performance.now() - turn < TURN_MS) continue;
        await scheduler.yield();
        turn = performance.now();
      }
    },
  };

  async function renderRow(
    plan: Plan,
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
        rendered: await rendering.finish(rendering.fill(plan, parsed.data, input), input, asker),
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
  const errors = parsed.error.issues.map(({ path, message, code }) => ({
    loc: path.map(String),
    msg: message,
    type: code,
  }));
  const summary = errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return new Fault('validation_failed.input', { summary }, { errors });
}

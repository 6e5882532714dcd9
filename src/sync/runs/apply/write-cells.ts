import { Fault } from '../../../errors.ts';
import type { CellWrite } from '../../ports/sheet-client.ts';
import { type ApplyWork, batchKey, layoutOf } from './apply.ts';

/** Writes of a batch that may be refused; after that, refused rows are no longer divided. A minute of the quota has 60. */
const MAX_REFUSED = 40;

/**
 * Writes cells, in one write unless one of them is protected: what is refused is written again by halves, so that only
 * the rows that are refused stay as they are. Returns those; where many are, also some rows beside them. `round` counts
 * the writes of a batch.
 */
export async function writeCells(
  { run, sides, signal }: Pick<ApplyWork, 'run' | 'sides' | 'signal'>,
  cells: readonly CellWrite[],
  { batch, round }: { readonly batch: number; readonly round: number },
): Promise<ReadonlySet<number>> {
  const { tab } = layoutOf(run);
  const refused = new Set<number>();
  const rows = [...Map.groupBy(cells, ({ row }) => row).values()];
  let refusals = 0;
  if (rows.length > 0) await writeRows(rows);
  return refused;

  async function writeRows(part: readonly (readonly CellWrite[])[]): Promise<void> {
    const own = part.flat();
    try {
      const key = batchKey(run.id, batch, round === 0 ? own : [round, own]);
      await sides.sheet.write(tab, own, { key, signal });
    } catch (error) {
      if (!isProtected(error)) throw error;
      refusals++;
      if (part.length === 1 || refusals >= MAX_REFUSED) {
        for (const { row } of own) refused.add(row);
        return;
      }
      const half = Math.ceil(part.length / 2);
      await writeRows(part.slice(0, half));
      await writeRows(part.slice(half));
    }
  }
}

function isProtected(error: unknown): boolean {
  return error instanceof Fault && error.key === 'sheet_refused.protected';
}

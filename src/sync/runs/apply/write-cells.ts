import { Fault } from '../../../errors.ts';
import type { CellWrite, TabName } from '../../ports/sheet-client.ts';
import { type ApplyWork, batchKey } from './apply.ts';

/** Writes of a batch that may be refused; after that, refused rows are no longer divided. A minute of the quota has 60. */
const MAX_REFUSED = 40;

/**
 * Writes cells, in one write unless one of them is protected: what is refused is written again by halves, so that only
 * the rows that are refused stay as they are. Returns those; where many are, also some rows beside them.
 */
export async function writeCells(
  { run, sides, signal }: Pick<ApplyWork, 'run' | 'sides' | 'signal'>,
  batch: number,
  tab: TabName,
  cells: readonly CellWrite[],
): Promise<ReadonlySet<number>> {
  const refused = new Set<number>();
  const rows = [...Map.groupBy(cells, ({ row }) => row).values()];
  let refusals = 0;
  if (rows.length > 0) await writeRows(rows);
  return refused;

  async function writeRows(part: readonly (readonly CellWrite[])[]): Promise<void> {
    const own = part.flat();
    try {
      await sides.sheet.write(tab, own, { key: batchKey(run.id, batch, own), signal });
    } catch (error) {
      if (!(error instanceof Fault) || error.key !== 'sheet_refused.protected') throw error;
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

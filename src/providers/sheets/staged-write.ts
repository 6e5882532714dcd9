import type { SheetWrite, Tab, TabName } from '../../sync/ports/sheet-client.ts';
import type { Api, Restructuring } from './api.ts';
import { isRefused, SheetsApiFault } from './faults.ts';
import { cellsRange, isLeftover, look, stagingTitle } from './ranges.ts';
import type { Clock, Patiently } from './retry.ts';
import { type Block, extentOf, inParts, makeRoom } from './write-plan.ts';

type Deps = { readonly api: Api; readonly patiently: Patiently; readonly clock: Clock };
type Staging = { readonly id: number; readonly targetId: number };

/** How often it is begun again when its hidden tab has gone. */
const MOST_ROUNDS = 3;

/**
 * Writes cells that are too large for one request atomically. The rows go into a hidden tab in parts. One
 * last request copies them to their places and deletes that tab, so the target never shows half a write. A
 * crash leaves only the hidden tab behind, and the next write removes it.
 */
export async function stagedWrite(
  { api, patiently, clock }: Deps,
  tab: TabName,
  blocks: readonly Block[],
  { key, signal }: SheetWrite,
): Promise<void> {
  const rows = blocks.flatMap(({ values }) => values);
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  for (let round = 1; ; round++) {
    const staging = await patiently(addStaging, signal);
    try {
      for (const { first, values } of inParts(rows)) {
        const range = cellsRange(staging.id, {
          row: first + 1,
          column: 0,
          height: values.length,
          width: columns,
        });
        await patiently(() => api.update([{ range, values }], signal), signal);
      }
      await patiently(() => api.restructure(moves(staging, blocks), signal), signal);
      return;
    } catch (error) {
      if (!isRefused(error)) throw error;
      const left = await remains(staging);
      if (left.length > 0) await patiently(() => api.restructure(left, signal), signal);
      if (left.length > 0 || round === MOST_ROUNDS) throw error;
      // The last request's answer may have been lost although it happened, or somebody deleted the tab: begun again,
      // since writing the same once more changes nothing.
    }
  }

  async function addStaging(): Promise<Staging> {
    const { tab: target, added } = await makeRoom(
      api,
      tab,
      extentOf(blocks),
      signal,
      ({ id }, { staging }) => {
        const title = stagingTitle(id, clock.now(), key);
        const gridProperties = { rowCount: rows.length, columnCount: columns };
        return [
          ...removals(staging, id, clock),
          { addSheet: { properties: { title, hidden: true, gridProperties } } },
        ];
      },
    );
    const [id] = added;
    if (id === undefined) throw new SheetsApiFault('lost', 'the answer names no tab');
    return { id, targetId: target.id };
  }

  async function remains({ id }: Staging): Promise<Restructuring[]> {
    const { staging } = await patiently(() => look(api, signal), signal);
    return staging.filter((one) => one.id === id).map(deletion);
  }
}

/** The blocks lie below each other in the hidden tab. Values only: a text that begins with `=` stays a text. */
function moves({ id, targetId }: Staging, blocks: readonly Block[]): Restructuring[] {
  let at = 0;
  const copies = blocks.map(({ row, column, values }) => {
    const size = { height: values.length, width: values[0]?.length ?? 0 };
    const source = cellsRange(id, { row: at + 1, column: 0, ...size });
    at += values.length;
    const destination = cellsRange(targetId, { row, column, ...size });
    return { copyPaste: { source, destination, pasteType: 'PASTE_VALUES' } };
  });
  return [...copies, deletion({ id })];
}

/** What earlier writes that did not end have left. */
export function removals(staging: readonly Tab[], tabId: number, clock: Clock): Restructuring[] {
  return staging.filter((old) => isLeftover(old, tabId, clock.now())).map(deletion);
}

function deletion({ id }: { readonly id: number }): Restructuring {
  return { deleteSheet: { sheetId: id } };
}

import type {
  SheetClient,
  SheetDescription,
  SheetReading,
  SheetWrite,
  TabName,
} from '../../sync/ports/sheet-client.ts';
import type { Api } from './api.ts';
import { isProtected, isRefused, SheetsApiFault, sheetsFault } from './faults.ts';
import { blockRange, findTab, idOf, look } from './ranges.ts';
import { readEntered } from './read-entered.ts';
import type { Clock, Patiently } from './retry.ts';
import { removals, stagedWrite } from './staged-write.ts';
import {
  type Block,
  copyBytes,
  directBytes,
  extentOf,
  MOST_BYTES,
  makeRoom,
  toBlocks,
} from './write-plan.ts';

/**
 * A whole tab in one request, by its id where that is known, as it is shown or as it was entered. Another tab may have
 * its title by now.
 * @throws Fault sheet_not_found where it is gone
 */
async function readTab(
  parts: { readonly api: Api; readonly patiently: Patiently },
  tab: TabName,
  render: 'UNFORMATTED_VALUE' | 'FORMULA',
  signal: AbortSignal,
): Promise<SheetReading> {
  const { api, patiently } = parts;
  const id = await idOf(parts, tab, signal);
  try {
    const { title, rows } = await patiently(() => api.values({ sheetId: id }, render, signal), signal);
    return { tab: { id, title }, rows };
  } catch (error) {
    if (isRefused(error)) findTab(await patiently(() => look(api, signal), signal), { ...tab, id });
    throw error;
  }
}

/** Writes in one request. Where it is refused, the tab may be too small: it is made larger, and the request sent once more. */
async function directWrite(
  parts: { readonly api: Api; readonly patiently: Patiently },
  tab: TabName,
  blocks: readonly Block[],
  signal: AbortSignal,
): Promise<void> {
  const { api, patiently } = parts;
  const id = await idOf(parts, tab, signal);
  const data = blocks.map((block) => blockRange(id, block));
  const send = () => patiently(() => api.update(data, signal), signal);
  try {
    await send();
  } catch (error) {
    if (!isRefused(error) || isProtected(error)) throw error;
    await patiently(() => makeRoom(api, { ...tab, id }, extentOf(blocks), signal), signal);
    await send();
  }
}

type Deps = { readonly api: Api; readonly patiently: Patiently; readonly clock: Clock };

/** One spreadsheet, as the sync engine needs it. */
export function createSheetsClient(spreadsheetId: string, { api, patiently, clock }: Deps): SheetClient {
  /** A hidden tab was seen, or one of ours may be left: the next write removes it. */
  let untidy = false;
  let locale: string | undefined;

  return {
    describe: (signal) => saying(() => describe(signal)),
    requireEditor: (signal) => saying(() => requireEditor(signal)),
    locale: (signal) => saying(async () => locale ?? (await describe(signal)).locale),
    read: (tab, signal) => saying(() => readTab({ api, patiently }, tab, 'UNFORMATTED_VALUE', signal)),
    readAllEntered: (tab, signal) =>
      saying(async () => (await readTab({ api, patiently }, tab, 'FORMULA', signal)).rows),
    readEntered: (tab, rows, signal) => saying(() => readEntered({ api, patiently }, tab, rows, signal)),
    write: (tab, cells, write) =>
      saying(async () => {
        const blocks = toBlocks(cells);
        if (blocks.length === 0) return;
        if (isStaged(tab, blocks)) await writeStaged(tab, blocks, write);
        else await writeDirect(tab, blocks, write);
      }),
    calls: api.calls,
  };

  /** What is refused for another reason was not refused for want of the right. */
  async function requireEditor(signal: AbortSignal): Promise<void> {
    await patiently(() => api.checkEditor(signal), signal).catch((error: unknown) => {
      if (!isRefused(error)) throw error;
    });
  }

  async function describe(signal: AbortSignal): Promise<SheetDescription> {
    const { description, staging } = await patiently(() => look(api, signal), signal);
    untidy ||= staging.length > 0;
    locale = description.locale;
    return description;
  }

  async function writeDirect(tab: TabName, blocks: readonly Block[], { signal }: SheetWrite): Promise<void> {
    if (untidy) {
      await patiently(
        () =>
          makeRoom(api, tab, extentOf(blocks), signal, ({ id }, { staging }) => removals(staging, id, clock)),
        signal,
      );
      untidy = false;
    }
    await directWrite({ api, patiently }, tab, blocks, signal);
  }

  async function writeStaged(tab: TabName, blocks: readonly Block[], write: SheetWrite): Promise<void> {
    untidy = true;
    await stagedWrite({ api, patiently, clock }, tab, blocks, write);
    untidy = false;
  }

  async function saying<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof SheetsApiFault ? sheetsFault(error, spreadsheetId) : error;
    }
  }
}

/**
 * True if a write is too large for one request and smaller as copies from a hidden tab. Scattered cells are
 * larger as copies: they go directly in one request anyway, because its size limit is only a recommendation.
 */
function isStaged({ id }: TabName, blocks: readonly Block[]): boolean {
  const direct = directBytes(id ?? 0, blocks);
  return direct > MOST_BYTES && copyBytes(blocks) < direct;
}

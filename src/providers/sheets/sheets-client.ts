import type { SheetClient, SheetDescription, SheetWrite, TabName } from '../../sync/ports/sheet.ts';
import type { Api } from './api.ts';
import { type Block, extentOf, toBlocks } from './blocks.ts';
import { directWrite } from './direct-write.ts';
import { makeRoom } from './make-room.ts';
import type { Clock, Patiently } from './patience.ts';
import { readEntered } from './read-entered.ts';
import { readTab } from './read-tab.ts';
import { SheetsTrouble, sheetsFault } from './sheets-trouble.ts';
import { removals, stagedWrite } from './staged-write.ts';
import { look } from './tabs.ts';
import { copyBytes, directBytes, MOST_BYTES } from './write-sizes.ts';

type Parts = { readonly api: Api; readonly patiently: Patiently; readonly clock: Clock };

/** One spreadsheet, as the sync engine needs it. */
export function createSheetsClient(spreadsheetId: string, { api, patiently, clock }: Parts): SheetClient {
  /** A hidden tab was seen, or one of ours may be left: the next write removes it. */
  let untidy = false;
  let locale: string | undefined;

  return {
    describe: (signal) => saying(() => describe(signal)),
    locale: (signal) => saying(async () => locale ?? (await describe(signal)).locale),
    read: (tab, signal) => saying(() => readTab({ api, patiently }, tab, signal)),
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
      throw error instanceof SheetsTrouble ? sheetsFault(error, spreadsheetId) : error;
    }
  }
}

/**
 * Cells that lie too scattered for copying take more as copies than as themselves: they go in one request all the same,
 * for what is too large for one is only recommended against.
 */
function isStaged({ id }: TabName, blocks: readonly Block[]): boolean {
  const direct = directBytes(id ?? 0, blocks);
  return direct > MOST_BYTES && copyBytes(blocks) < direct;
}

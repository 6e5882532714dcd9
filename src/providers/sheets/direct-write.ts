import type { TabName } from '../../sync/ports/sheet.ts';
import type { Api } from './api.ts';
import { type Block, extentOf } from './blocks.ts';
import { makeRoom } from './make-room.ts';
import type { Patiently } from './patience.ts';
import { blockRange } from './ranges.ts';
import { isRefused } from './sheets-trouble.ts';
import { idOf } from './tabs.ts';

/** Writes in one request. Where it is refused, the tab may be too small: it is made larger, and the request sent once more. */
export async function directWrite(
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
    if (!isRefused(error)) throw error;
    await patiently(() => makeRoom(api, { ...tab, id }, extentOf(blocks), signal), signal);
    await send();
  }
}

import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import type { Generation, HistoryFilter } from './generation.ts';
import type { History } from './history.ts';
import { HISTORY_FORMATS, type HistoryFormatName } from './history-formats.ts';
import { plainText } from './words.ts';

type Parts = {
  readonly history: Pick<History, 'get' | 'all'>;
  readonly entitlements: Pick<Entitlements, 'requireFeature'>;
  /** The most a file may hold; it is in memory until it is delivered. */
  readonly mostBytes?: number;
  readonly now?: () => number;
};

/** A file to deliver. */
export type HistoryFile = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly filename: string;
};

const MOST_BYTES = 64 * 1024 * 1024;

/** The history as files: csv for spreadsheets, json, or plain text. */
export function createHistoryExport({
  history,
  entitlements,
  mostBytes = MOST_BYTES,
  now = Date.now,
}: Parts) {
  return {
    /** All generations the filter lets through, the latest first. @throws Fault plan_required, too_large.history */
    async export(
      accountId: string,
      { format, ...filter }: HistoryFilter & { format: HistoryFormatName },
    ): Promise<HistoryFile> {
      await entitlements.requireFeature(accountId, 'export');
      const day = new Date(now()).toISOString().slice(0, 10);
      return write(history.all(accountId, filter), format, `hooks-${day}`);
    },

    /** One generation; as plain text with every plan. @throws Fault not_found.generation, plan_required */
    async download(accountId: string, id: string, format: HistoryFormatName): Promise<HistoryFile> {
      const generation = await history.get(accountId, id);
      if (format !== 'txt') await entitlements.requireFeature(accountId, 'export');
      return write([generation], format, nameOf(generation));
    },
  };

  async function write(
    generations: AsyncIterable<Generation> | Iterable<Generation>,
    format: HistoryFormatName,
    name: string,
  ): Promise<HistoryFile> {
    const { mediaType, head, write, foot } = HISTORY_FORMATS[format];
    const pieces = [Buffer.from(head)];
    let bytes = 0;
    for await (const generation of generations) {
      const piece = Buffer.from(write(generation, pieces.length - 1));
      bytes += piece.length;
      if (bytes > mostBytes) throw new Fault('too_large.history', { limit: mostBytes / 1024 / 1024 });
      pieces.push(piece);
    }
    return {
      bytes: Buffer.concat([...pieces, Buffer.from(foot)]),
      mediaType,
      filename: `${name}.${format}`,
    };
  }
}

/** `sourdough-bread`, from the topic. */
function nameOf({ topic }: Generation): string {
  const words = plainText(topic).slice(0, 60).trim().replaceAll(' ', '-');
  return words === '' ? 'hooks' : words;
}

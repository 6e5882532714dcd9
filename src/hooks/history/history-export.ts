import { stringify } from 'csv-stringify/sync';
import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import { plainText } from '../text/text.ts';
import type { Generation } from './generation-repo.ts';
import type { History, HistoryFilter } from './history.ts';
import type { HistoryFormat } from './history-format.ts';

type HistoryExportDeps = {
  readonly history: Pick<History, 'get' | 'all'>;
  readonly entitlements: Pick<Entitlements, 'requireFeature'>;
  /** Limit of a file in bytes; it is in memory until it is delivered. */
  readonly maxBytes?: number;
  readonly now?: () => number;
};

/** A file to deliver. */
type HistoryFile = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly filename: string;
};

const MAX_BYTES = 64 * 1024 * 1024;

/** Exports the history as files: CSV for spreadsheets, JSON, or plain text. */
export function createHistoryExport({
  history,
  entitlements,
  maxBytes = MAX_BYTES,
  now = Date.now,
}: HistoryExportDeps) {
  return {
    /** All generations the filter selects, the latest first. @throws Fault plan_required, too_large.history */
    async export(
      accountId: string,
      { format, ...filter }: HistoryFilter & { format: HistoryFormat },
    ): Promise<HistoryFile> {
      await entitlements.requireFeature(accountId, 'export');
      const day = new Date(now()).toISOString().slice(0, 10);
      return write(history.all(accountId, filter), format, `hooks-${day}`);
    },

    /** One generation. Plain text is included in every plan. @throws Fault not_found.generation, plan_required */
    async download(accountId: string, id: string, format: HistoryFormat): Promise<HistoryFile> {
      const generation = await history.get(accountId, id);
      if (format !== 'txt') await entitlements.requireFeature(accountId, 'export');
      return write([generation], format, nameOf(generation));
    },
  };

  async function write(
    generations: AsyncIterable<Generation> | Iterable<Generation>,
    format: HistoryFormat,
    name: string,
  ): Promise<HistoryFile> {
    const { mediaType, head, write, foot } = HISTORY_FORMATS[format];
    const pieces = [Buffer.from(head)];
    let bytes = 0;
    for await (const generation of generations) {
      const piece = Buffer.from(write(generation, pieces.length - 1));
      bytes += piece.length;
      if (bytes > maxBytes) throw new Fault('too_large.history', { limit: maxBytes / 1024 / 1024 });
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

/** Serializes generations one by one. */
type FormatWriter = {
  readonly mediaType: string;
  /** The start of the file, also of an empty one. */
  readonly head: string;
  /** `nth` counts from 0. */
  readonly write: (generation: Generation, nth: number) => string;
  readonly foot: string;
};

const COLUMNS = [
  'date',
  'topic',
  'platform',
  'language',
  'provider',
  'model',
  'generation_id',
  'index',
  'hook',
  'style',
  'score',
  'why',
  'pattern',
  'chars',
  'seconds',
  'flags',
  'copied',
  'used',
  'winner',
  'metric',
] as const;

/** The formats of an export. */
export const HISTORY_FORMATS: Readonly<Record<HistoryFormat, FormatWriter>> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    // Spreadsheet programs need the byte order mark to read UTF-8.
    head: stringify([[...COLUMNS]], { bom: true, record_delimiter: 'windows' }),
    write: (generation) =>
      stringify(rowsOf(generation), {
        columns: [...COLUMNS],
        record_delimiter: 'windows',
        // Topics are untrusted text: a cell that starts like a formula gets an apostrophe.
        escape_formulas: true,
        // Our row delimiter is CRLF, but most readers end a row at a single line break.
        quoted_match: /[\r\n]/,
        cast: { boolean: String },
      }),
    foot: '',
  },
  json: {
    mediaType: 'application/json',
    head: '{"format":"stallhand-hooks","version":1,"generations":[',
    write: (generation, nth) => `${nth === 0 ? '' : ','}\n${JSON.stringify(generation)}`,
    foot: '\n]}\n',
  },
  txt: {
    mediaType: 'text/plain; charset=utf-8',
    head: '',
    write: (generation, nth) => `${nth === 0 ? '' : '\n'}${plain(generation)}`,
    foot: '',
  },
};

/** A row for each hook. */
function rowsOf({ hooks, id: generation_id, ...generation }: Generation) {
  return hooks.map(({ text, flags, ...hook }, index) => ({
    ...generation,
    ...hook,
    generation_id,
    index,
    hook: text,
    flags: flags.join(' '),
  }));
}

function plain({ topic, date, platform, language, provider, hooks }: Generation): string {
  const about = [`${date.slice(0, 16).replace('T', ' ')} UTC`, platform, language, provider];
  return [
    oneLine(topic),
    about.filter((part) => part !== null).join(' · '),
    '',
    ...hooks.map(({ text, style }, index) => `${index + 1}. ${oneLine(text)} (${style})`),
    '',
  ].join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

import { stringify } from 'csv-stringify/sync';
import type { Generation } from './generation.ts';

/** How generations become the text of a file, piece by piece. */
export type HistoryFormat = {
  readonly mediaType: string;
  /** What stands before the first generation, or instead of any. */
  readonly head: string;
  /** `nth` counts from 0. */
  readonly write: (generation: Generation, nth: number) => string;
  readonly foot: string;
};

export const HISTORY_FORMAT_NAMES = ['csv', 'json', 'txt'] as const;
export type HistoryFormatName = (typeof HISTORY_FORMAT_NAMES)[number];

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

/** The files a history can be had as. */
export const HISTORY_FORMATS: Readonly<Record<HistoryFormatName, HistoryFormat>> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    // With the mark at its start spreadsheet programs read UTF-8.
    head: stringify([[...COLUMNS]], { bom: true, record_delimiter: 'windows' }),
    write: (generation) =>
      stringify(rowsOf(generation), {
        columns: [...COLUMNS],
        record_delimiter: 'windows',
        // What begins like a formula gets an apostrophe before it: a topic is a stranger's text to a spreadsheet.
        escape_formulas: true,
        // A line break alone is not the end of a row here, but it is to most readers.
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

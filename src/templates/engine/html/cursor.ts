import { type HtmlState, TEXT } from './state.ts';

/** A state that is being moved over a text. */
export type Cursor = { -readonly [Key in keyof HtmlState]: HtmlState[Key] } & {
  readonly text: string;
  at: number;
  /** The other way a tag can be read from here on, where that depends on more than is tracked. */
  fork: HtmlState | null;
};

/** Elements whose content is text up to their end tag. */
const RAW = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
]);
const FOREIGN = new Set(['svg', 'math', 'select']);
const UNSETTLED = '*';
/** Html again inside svg and math, where an end tag of the outer element is ignored; and frames, where most tags are. */
const UNSETTLING = new Set('foreignobject desc annotation-xml mi mo mn ms mtext frameset'.split(' '));

export function stateOf({ text: _text, at: _at, fork: _fork, ...state }: Cursor): HtmlState {
  return state;
}

export function take(cursor: Cursor, change: Partial<HtmlState>): void {
  Object.assign(cursor, change);
  cursor.at++;
}

/** Back to text between tags. */
export function reset({ foreign, broken }: HtmlState): HtmlState {
  return { ...TEXT, foreign, broken };
}

/** Moves to the first of the characters, and answers what lies before it. */
export function word(cursor: Cursor, end: RegExp): string {
  const start = cursor.at;
  end.lastIndex = start;
  cursor.at = end.exec(cursor.text)?.index ?? cursor.text.length;
  return cursor.text.slice(start, cursor.at);
}

/** At the `>` of a tag: what its element makes of the text that follows. */
export function endTag(cursor: Cursor): void {
  const { tag, closing } = cursor;
  cursor.foreign = foreignAfter(cursor);
  take(cursor, reset(cursor));
  if (closing) return;
  const raw: HtmlState = { ...reset(cursor), mode: 'raw', tag };
  // With scripting, noscript is text; without, it is html.
  const doubtful = tag === 'noscript' || (RAW.has(tag) && cursor.foreign !== '');
  if (doubtful) cursor.fork = raw;
  else if (RAW.has(tag)) Object.assign(cursor, raw);
}

function foreignAfter({ tag, closing, foreign }: Cursor): string {
  if (foreign === UNSETTLED || tag === 'frameset') return UNSETTLED;
  if (UNSETTLING.has(tag) && foreign !== '') return UNSETTLED;
  if (!FOREIGN.has(tag)) return foreign;
  const mark = tag.charAt(1);
  if (!closing) return foreign.length < 8 ? foreign + mark : UNSETTLED;
  if (foreign.endsWith(mark)) return foreign.slice(0, -1);
  return foreign.includes(mark) ? UNSETTLED : foreign;
}

import type { FaultKey } from '../../../errors.ts';

/** Where in an HTML document a position stands, as its tokenizer would see it. */
export type Mode =
  | 'text'
  | 'raw'
  | 'cdata'
  | 'comment'
  | 'declaration'
  | 'tag-open'
  | 'markup'
  | 'tag-name'
  | 'attributes'
  | 'name'
  | 'after-name'
  | 'before-value'
  | 'quoted'
  | 'unquoted';

export type HtmlState = {
  readonly mode: Mode;
  /** The open tag's name in lower case, and in `raw` the element whose text this is. */
  readonly tag: string;
  readonly closing: boolean;
  readonly attribute: string;
  readonly quote: string;
  /** The attribute's value so far where it is an address; `STARTED` in a style that has begun; the first characters of a comment; how far a script has escaped itself. */
  readonly value: string;
  /** The last characters, for an end that is spread over two pieces of text. */
  readonly tail: string;
  /** What the last piece of text has just made unsafe about an expression before it. */
  readonly broken: FaultKey | '';
  /** The open elements in which HTML is read by other rules, svg, math and select; a star where no end tag can settle it any more. */
  readonly foreign: string;
};

export const TEXT: HtmlState = {
  mode: 'text',
  tag: '',
  closing: false,
  attribute: '',
  quote: '',
  value: '',
  tail: '',
  broken: '',
  foreign: '',
};

/** The value of a style attribute that is not empty so far. */
export const STARTED = 'started';

/** Longer schemes do not exist, so a longer start of an address has none. */
export const VALUE_LENGTH = 128;

const ADDRESSES = new Set(
  'href src srcset action formaction background poster cite data codebase longdesc ping manifest lowsrc dynsrc imagesrcset classid archive profile'.split(
    ' ',
  ),
);

/** Whether the value of the attribute at this state is used as an address. `<meta content>` is one when it refreshes. */
export function isAddress({ tag, attribute }: Pick<HtmlState, 'tag' | 'attribute'>): boolean {
  const local = attribute.slice(attribute.lastIndexOf(':') + 1);
  return ADDRESSES.has(local) || (tag === 'meta' && attribute === 'content');
}

/** The address that the value so far starts. */
export function addressOf({ tag, attribute, value }: Pick<HtmlState, 'tag' | 'attribute' | 'value'>): string {
  if (tag !== 'meta' || attribute !== 'content') return value;
  return /url\s*=\s*['"]?([\s\S]*)$/i.exec(value)?.[1] ?? '/';
}

/** Each state once. */
export function distinct(states: readonly HtmlState[]): readonly HtmlState[] {
  if (states.length < 2) return states;
  return [...new Map(states.map((state) => [keyOf(state), state])).values()];
}

export function keyOf(state: HtmlState): string {
  return Object.values(state).join('\u0001');
}

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
/** HTML again inside svg and math, where an end tag of the outer element is ignored; and frames, where most tags are. */
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

/** Moves to the first of the characters, and returns what lies before it. */
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
  // With scripting, noscript is text; without, it is HTML.
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

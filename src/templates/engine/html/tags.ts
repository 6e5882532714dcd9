import { addressStatus, HOLE } from './address.ts';
import {
  addressOf,
  type Cursor,
  endTag,
  isAddress,
  type Mode,
  reset,
  STARTED,
  take,
  VALUE_LENGTH,
  word,
} from './state.ts';

const SPACE = /[\t\n\f\r ]/;
const CDATA = '[CDATA[';

/** How each mode reads on; every step moves the cursor or changes its mode. */
export const STEPS: Readonly<Record<Mode, (cursor: Cursor) => void>> = {
  text(cursor) {
    const open = cursor.text.indexOf('<', cursor.at);
    cursor.at = open < 0 ? cursor.text.length : open + 1;
    if (open >= 0) cursor.mode = 'tag-open';
  },
  'tag-open'(cursor) {
    const char = cursor.text.charAt(cursor.at);
    if (/[a-z]/i.test(char)) cursor.mode = 'tag-name';
    else if (cursor.closing) cursor.mode = 'declaration';
    else if (char === '/') take(cursor, { closing: true });
    else if (char === '!') take(cursor, { mode: 'markup' });
    else cursor.mode = char === '?' ? 'declaration' : 'text';
  },
  markup(cursor) {
    const tail = cursor.tail + cursor.text.charAt(cursor.at);
    if (tail === '--') take(cursor, { mode: 'comment', tail: '' });
    else if (tail === '-' || (tail.length < CDATA.length && CDATA.startsWith(tail))) take(cursor, { tail });
    else endMarkup(cursor, tail);
  },
  declaration(cursor) {
    const end = cursor.text.indexOf('>', cursor.at);
    cursor.at = end < 0 ? cursor.text.length : end;
    if (end >= 0) take(cursor, reset(cursor));
  },
  comment: readComment,
  cdata: readCdata,
  raw: readRawText,
  'tag-name'(cursor) {
    const name = word(cursor, /[\t\n\f\r />]/g);
    cursor.tag = (cursor.tag + name.toLowerCase()).slice(0, 40);
    if (cursor.at < cursor.text.length) cursor.mode = 'attributes';
  },
  attributes(cursor) {
    const char = cursor.text.charAt(cursor.at);
    if (char === '>') endTag(cursor);
    else if (char === '/' || SPACE.test(char)) cursor.at++;
    else take(cursor, { mode: 'name', attribute: char.toLowerCase() });
  },
  name(cursor) {
    const name = word(cursor, /[\t\n\f\r />=]/g);
    cursor.attribute = (cursor.attribute + name.toLowerCase()).slice(0, 40);
    if (cursor.at < cursor.text.length) cursor.mode = 'after-name';
  },
  'after-name'(cursor) {
    const char = cursor.text.charAt(cursor.at);
    if (char === '=') take(cursor, { mode: 'before-value' });
    else if (SPACE.test(char)) cursor.at++;
    else Object.assign(cursor, { mode: 'attributes', attribute: '' });
  },
  'before-value'(cursor) {
    const char = cursor.text.charAt(cursor.at);
    if (char === '>') endTag(cursor);
    else if (char === '"' || char === "'") take(cursor, { mode: 'quoted', quote: char });
    else if (SPACE.test(char)) cursor.at++;
    else cursor.mode = 'unquoted';
  },
  quoted(cursor) {
    const found = cursor.text.indexOf(cursor.quote, cursor.at);
    const end = found < 0 ? cursor.text.length : found;
    const piece = cursor.text.slice(cursor.at, end);
    if (isAddress(cursor)) readAddress(cursor, piece);
    else if (cursor.attribute === 'style' && piece.trim() !== '') cursor.value = STARTED;
    cursor.at = end;
    if (found >= 0) take(cursor, { mode: 'attributes', attribute: '', quote: '', value: '' });
  },
  unquoted(cursor) {
    word(cursor, /[\t\n\f\r >]/g);
    if (cursor.at < cursor.text.length) Object.assign(cursor, { mode: 'attributes', attribute: '' });
  },
};

/** After `<!` and what is neither a comment nor, except inside svg and math, the start of a character data section. */
function endMarkup(cursor: Cursor, tail: string): void {
  Object.assign(cursor, { mode: 'declaration', tail: '' });
  if (tail !== CDATA || cursor.foreign === '') return;
  cursor.at++;
  cursor.fork = { ...reset(cursor), mode: 'cdata' };
}

function readAddress(cursor: Cursor, piece: string): void {
  const wasSplit = isSplit(cursor);
  cursor.value = (cursor.value + piece).trimStart().slice(0, VALUE_LENGTH);
  if (isSplit(cursor) && !wasSplit) cursor.broken = 'unsafe_context.split_scheme';
}

function isSplit(cursor: Cursor): boolean {
  return addressStatus(addressOf(cursor)) === 'split';
}

/** The start of a comment that Outlook takes for a condition; with an expression in it, it may be one. */
const CONDITION = new RegExp(`^(?:\\[if[^\\]]*\\]|${HOLE})>$`, 'i');

/** What stands in `<!--[if mso]>` is a comment to browsers and HTML to Outlook, so it is read both ways. */
function readComment(cursor: Cursor): void {
  const char = cursor.text.charAt(cursor.at);
  const start = cursor.value + char;
  const tail = cursor.tail + char;
  const ends = start === '>' || start === '->' || /--!?>$/.test(tail);
  // Escaped values hold no bracket, but dashes: with them, the next `>` would end the comment.
  if (!ends && /\uFFFC-?!?>$/.test(tail)) cursor.broken = 'unsafe_context.comment_end';
  take(cursor, ends ? reset(cursor) : { value: commentStart(start), tail: commentTail(tail) });
  if (!ends && CONDITION.test(start)) cursor.fork = reset(cursor);
}

/** What the first characters of a comment can still become: its end, a condition, or no matter what. */
export function commentStart(start: string): string {
  if (start.includes(HOLE)) return HOLE;
  return start.length < 64 && /^(?:-?$|\[)/.test(start) ? start : 'x';
}

export function commentTail(tail: string): string {
  return /(?:\uFFFC-?!?|--?|--!)$/.exec(tail)?.[0] ?? '';
}

function readCdata(cursor: Cursor): void {
  const tail = cursor.tail + cursor.text.charAt(cursor.at);
  if (/\uFFFC\]?>$/.test(tail)) cursor.broken = 'unsafe_context.comment_end';
  take(cursor, tail.endsWith(']]>') ? reset(cursor) : { tail: cdataTail(tail) });
}

export function cdataTail(tail: string): string {
  return /(?:\uFFFC\]?|\]{1,2})$/.exec(tail)?.[0] ?? '';
}

/** The text of an element such as script, up to its end tag. */
function readRawText(cursor: Cursor): void {
  const { tag } = cursor;
  const char = cursor.text.charAt(cursor.at);
  const tail = cursor.tail + char.toLowerCase();
  const ends = SPACE_OR_END.test(char) && cursor.tail === `</${tag}` && cursor.value !== 'double';
  if (tag === 'script') cursor.value = scriptEscape(cursor.value, tail);
  if (!ends) take(cursor, { tail: rawTail(tail, tag) });
  else if (char === '>') take(cursor, reset(cursor));
  else take(cursor, { ...reset(cursor), mode: 'attributes', tag, closing: true });
}

const SPACE_OR_END = /[\t\n\f\r />]/;

/** As much of the text's end as can still become a tag, or in a script the start or end of a comment. */
function rawTail(tail: string, tag: string): string {
  const marks = tag === 'script' ? [`</${tag}`, '<!--', '<script', '-->'] : [`</${tag}`];
  for (let at = Math.max(0, tail.length - tag.length - 2); at < tail.length; at++) {
    const end = tail.slice(at);
    if (marks.some((mark) => mark.startsWith(end))) return end;
  }
  return '';
}

/** `<!-- <script>` in a script hides the next `</script>`; a rule of HTML that few remember. */
function scriptEscape(level: string, tail: string): string {
  if (level === '') return tail === '<!--' ? 'escaped' : '';
  if (tail.endsWith('-->')) return '';
  if (level === 'escaped') return /^<script[\t\n\f\r />]$/.test(tail) ? 'double' : 'escaped';
  return /^<\/script[\t\n\f\r />]$/.test(tail) ? 'escaped' : 'double';
}

import { addressStatus } from '../address.ts';
import { type Cursor, endTag, reset, take, word } from './cursor.ts';
import { readCdata, readComment, readRawText } from './raw-text.ts';
import { addressOf, isAddress, type Mode, VALUE_LENGTH } from './state.ts';

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
    if (isAddress(cursor)) readAddress(cursor, cursor.text.slice(cursor.at, end));
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

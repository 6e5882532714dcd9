import { HOLE } from '../address.ts';
import { type Cursor, reset, take } from './cursor.ts';

/** The start of a comment that Outlook takes for a condition; with a mustache in it, it may be one. */
const CONDITION = new RegExp(`^(?:\\[if[^\\]]*\\]|${HOLE})>$`, 'i');

/** What stands in `<!--[if mso]>` is a comment to browsers and html to Outlook, so it is read both ways. */
export function readComment(cursor: Cursor): void {
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

export function readCdata(cursor: Cursor): void {
  const tail = cursor.tail + cursor.text.charAt(cursor.at);
  if (/\uFFFC\]?>$/.test(tail)) cursor.broken = 'unsafe_context.comment_end';
  take(cursor, tail.endsWith(']]>') ? reset(cursor) : { tail: cdataTail(tail) });
}

export function cdataTail(tail: string): string {
  return /(?:\uFFFC\]?|\]{1,2})$/.exec(tail)?.[0] ?? '';
}

/** The text of an element such as script, up to its end tag. */
export function readRawText(cursor: Cursor): void {
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

/** `<!-- <script>` in a script hides the next `</script>`; a rule of html that few remember. */
function scriptEscape(level: string, tail: string): string {
  if (level === '') return tail === '<!--' ? 'escaped' : '';
  if (tail.endsWith('-->')) return '';
  if (level === 'escaped') return /^<script[\t\n\f\r />]$/.test(tail) ? 'double' : 'escaped';
  return /^<\/script[\t\n\f\r />]$/.test(tail) ? 'escaped' : 'double';
}

import { decodeCss } from './decode-css.ts';

// By hand, not by the tokenizer of css-tree (here only through htmlnano): each difference would be a URL missed.

/** An address in a style sheet. From `start` to `end` belongs a string in quotes. */
export type CssUrl = {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  /** It leads to another style sheet. */
  readonly imported: boolean;
};

type Reader = {
  readonly css: string;
  at: number;
  /** Names of the functions and brackets that are open. */
  readonly open: string[];
  /** The at-rule whose beginning is being read. */
  rule: string;
  readonly found: CssUrl[];
};

// Each is looked for from a place on: unlike a pattern of what goes on, that needs no memory for megabytes of text.
const NAME_STOP = /[^\w\u0080-\uffff-]/g;
const SPACE_STOP = /[^ \t\n\r\f]/g;
const STRING_STOP = /["'\\\n\r\f]/g;
const URL_STOP = /[\\()"'\0- \x7f]/g;
const BAD_URL_STOP = /[\\)]/g;

const ESCAPE = /\\(?:[0-9a-f]{1,6}(?:\r\n|[ \t\n\r\f])?|[^\n\r\f])/iy;

/**
 * The addresses a style sheet loads from, in order: of `url(…)`, `@import` and `image-set(…)`. Reads tokens as
 * https://www.w3.org/TR/css-syntax-3/ does, so that nothing hides behind a comment, a string or an escape.
 */
export function cssUrls(css: string): CssUrl[] {
  const reader: Reader = { css, at: 0, open: [], rule: '', found: [] };
  while (reader.at < css.length) readToken(reader, css.charAt(reader.at));
  return reader.found;
}

function readToken(reader: Reader, char: string): void {
  if (reader.css.startsWith('/*', reader.at)) skipComment(reader);
  else if (reader.css.startsWith('<!--', reader.at)) reader.at += 4;
  else if (char === '"' || char === "'") readString(reader, char);
  else if (char === '@') readAtKeyword(reader);
  else if (char === '#') readHash(reader);
  else if (!readName(reader)) readMark(reader, char);
}

function skipComment(reader: Reader): void {
  const end = reader.css.indexOf('*/', reader.at + 2);
  reader.at = end === -1 ? reader.css.length : end + 2;
}

function readString(reader: Reader, quote: string): void {
  const start = reader.at++;
  for (;;) {
    const stop = goTo(reader, STRING_STOP);
    // A line end breaks the string, and then the browser loads nothing of it.
    if (stop === '\n' || stop === '\r' || stop === '\f') return;
    if (stop === '' || stop === quote) break;
    reader.at += stop === '\\' ? 2 : 1;
  }
  const inside = reader.css.slice(start + 1, reader.at);
  reader.at = Math.min(reader.at + 1, reader.css.length);
  const context = reader.open.at(-1) ?? '';
  if (context === 'url' || context.endsWith('image-set') || reader.rule === 'import') {
    add(reader, start, inside);
  }
}

function readAtKeyword(reader: Reader): void {
  reader.at++;
  reader.rule = takeName(reader);
}

// The name of a colour or an id is never that of a function.
function readHash(reader: Reader): void {
  reader.at++;
  takeName(reader);
}

function readName(reader: Reader): boolean {
  const start = reader.at;
  const name = takeName(reader);
  if (reader.at === start) return false;
  if (reader.css.charAt(reader.at) !== '(') return true;
  reader.at++;
  if (name === 'url' && !isStringNext(reader)) readBareUrl(reader);
  else reader.open.push(name);
  return true;
}

function isStringNext(reader: Reader): boolean {
  const next = goTo(reader, SPACE_STOP);
  return next === '"' || next === "'";
}

function readBareUrl(reader: Reader): void {
  const start = reader.at;
  let stop = goTo(reader, URL_STOP);
  while (stop === '\\' && skipEscape(reader)) stop = goTo(reader, URL_STOP);
  const inside = reader.css.slice(start, reader.at);
  const end = reader.at;
  const next = goTo(reader, SPACE_STOP);
  if (next === ')' || next === '') {
    reader.at = end;
    add(reader, start, inside);
    goTo(reader, SPACE_STOP);
    reader.at++;
    return;
  }
  // A broken token, of which the browser loads nothing; it goes on behind the bracket.
  while (goTo(reader, BAD_URL_STOP) === '\\') reader.at += 2;
  reader.at++;
}

function readMark(reader: Reader, char: string): void {
  reader.at++;
  if ('([{'.includes(char)) reader.open.push(char);
  if (')]}'.includes(char)) reader.open.pop();
  if (';{}'.includes(char)) reader.rule = '';
}

function add(reader: Reader, start: number, raw: string): void {
  // The address of a namespace is only a name.
  if (reader.rule === 'namespace') return;
  const imported = reader.rule === 'import';
  // What follows in the same rule are its conditions.
  if (imported) reader.rule = '';
  reader.found.push({ start, end: reader.at, url: decodeCss(raw).trim(), imported });
}

/** The name that begins here, in lower case and without escapes; nothing is read where none begins. */
function takeName(reader: Reader): string {
  const start = reader.at;
  let stop = goTo(reader, NAME_STOP);
  while (stop === '\\' && skipEscape(reader)) stop = goTo(reader, NAME_STOP);
  return decodeCss(reader.css.slice(start, reader.at)).toLowerCase();
}

function skipEscape(reader: Reader): boolean {
  ESCAPE.lastIndex = reader.at;
  if (!ESCAPE.test(reader.css)) return false;
  reader.at = ESCAPE.lastIndex;
  return true;
}

/** Goes to the next character of the pattern and answers it; '' at the end. */
function goTo(reader: Reader, stop: RegExp): string {
  stop.lastIndex = reader.at;
  reader.at = stop.exec(reader.css)?.index ?? reader.css.length;
  return reader.css.charAt(reader.at);
}

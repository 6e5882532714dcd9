/**
 * A piece of template source. A `tag` is an HTML tag whole, with the expressions among its attributes; a `mustache` is
 * any `{{…}}`, so also a Handlebars comment, and the opening and the closing of a raw block each for itself; `other`
 * is one character.
 */
export type Token = {
  readonly kind: 'mustache' | 'tag' | 'comment' | 'word' | 'space' | 'other';
  readonly text: string;
};

/** Cuts template source into tokens, which joined give the source again, in time linear in its length. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const find = forwardSearch(source);
  for (let at = 0; at < source.length; ) {
    const token = tokenAt(source, at, find);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

/** Position right after the next `closer` at or after `from`, or -1. */
type Find = (closer: string, from: number) => number;

/** A closer that is missing is looked for only once, or a text of a thousand openers would be read a thousand times. */
function forwardSearch(source: string): Find {
  const missing = new Set<string>();
  return (closer, from) => {
    if (missing.has(closer)) return -1;
    const found = source.indexOf(closer, from);
    if (found === -1) missing.add(closer);
    return found === -1 ? -1 : found + closer.length;
  };
}

const WORD = /[\p{L}\p{M}\p{N}_]+/uy;
const SPACE = /\s+/y;
const TAG_START = /<(?:[a-z!?]|\/[a-z])/iy;

function tokenAt(source: string, at: number, find: Find): Token {
  const mustache = mustacheEnd(source, at, find);
  if (mustache !== -1) return { kind: 'mustache', text: source.slice(at, mustache) };
  const comment = commentEnd(source, at, find);
  if (comment !== -1) return { kind: 'comment', text: source.slice(at, comment) };
  const tag = tagEnd(source, at, find);
  if (tag !== -1) return { kind: 'tag', text: source.slice(at, tag) };
  const space = matched(SPACE, source, at);
  if (space) return { kind: 'space', text: space };
  const word = matched(WORD, source, at);
  if (word) return { kind: 'word', text: word };
  return { kind: 'other', text: String.fromCodePoint(source.codePointAt(at) ?? 0) };
}

/** Where the expression that starts here ends, or -1 when none starts or it is never closed. */
function mustacheEnd(source: string, at: number, find: Find): number {
  if (!source.startsWith('{{', at)) return -1;
  if (source.startsWith('{{{{', at)) return find('}}}}', at);
  if (source.startsWith('{{{', at)) return find('}}}', at);
  if (source.startsWith('{{!--', at)) return mustacheCommentEnd(at + 5, find);
  if (source.startsWith('{{~!--', at)) return mustacheCommentEnd(at + 6, find);
  return find('}}', at);
}

function mustacheCommentEnd(from: number, find: Find): number {
  const ends = [find('--}}', from), find('--~}}', from)].filter((end) => end !== -1);
  return ends.length > 0 ? Math.min(...ends) : -1;
}

function commentEnd(source: string, at: number, find: Find): number {
  return source.startsWith('<!--', at) ? find('-->', at + 4) : -1;
}

/**
 * A tag ends at the first `>` outside an expression and is none if a `<` comes before it. A scan that fails has passed no
 * other place where a tag could start, so no part of the source is scanned twice.
 */
function tagEnd(source: string, at: number, find: Find): number {
  if (!matched(TAG_START, source, at)) return -1;
  for (let end = at + 1; end < source.length; end++) {
    const mustache = mustacheEnd(source, end, find);
    if (mustache !== -1) end = mustache - 1;
    else if (source[end] === '>') return end + 1;
    else if (source[end] === '<') return -1;
  }
  return -1;
}

function matched(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

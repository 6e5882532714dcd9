/**
 * Returns the leading words of every statement in an SQL text: lower case, joined by one space, up to the first token
 * that is not a word, at most `words`. Skips comments, strings and quoted names, so a word inside them does not count.
 */
export function statementHeads(text: string, words = 4): string[] {
  const heads: string[] = [];
  let head: string[] = [];
  let open = true;
  const finish = () => {
    if (head.length > 0) heads.push(head.join(' '));
    head = [];
    open = true;
  };

  for (const token of tokens(text)) {
    if (token === ';') finish();
    else if (!open) continue;
    else if (WORD.test(token) && head.length < words) head.push(token.toLowerCase());
    else open = false;
  }
  finish();
  return heads;
}

const WORD = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

const TOKEN =
  /(?<blank>\s+|--[^\n\r]*)|(?<comment>\/\*)|(?<text>[eE]'(?:[^'\\]|\\.|'')*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?)|\$(?<tag>(?:[\p{L}_][\p{L}\p{N}_]*)?)\$|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<other>.)/gsu;

function* tokens(text: string): Generator<string> {
  const pattern = new RegExp(TOKEN);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const { blank, comment, tag } = found.groups ?? {};
    if (comment) pattern.lastIndex = endOfComment(text, found.index);
    else if (tag !== undefined) pattern.lastIndex = endOfDollarText(text, pattern.lastIndex, found[0]);
    if (!blank && !comment) yield found[0];
  }
}

/** Block comments nest in PostgreSQL. */
function endOfComment(text: string, start: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return text.length;
}

function endOfDollarText(text: string, from: number, tag: string): number {
  const at = text.indexOf(tag, from);
  return at < 0 ? text.length : at + tag.length;
}

/** Part of a text by its lines, each as `120| <p>Hello</p>`. */
export type Excerpt = {
  readonly total_lines: number;
  readonly text: string;
  /** How many lines have what was searched for. */
  readonly found?: number;
  /** The lines asked for that did not fit: `190-260`. */
  readonly more?: string;
};

export type ExcerptWish = { readonly lines?: string | undefined; readonly find?: string | undefined };

/** Characters of one answer, which leaves room for the rest of it where clients cut. */
const MAX_CHARS = 16_000;
/** Lines shown before and after one that was found. */
const AROUND = 2;
/** Characters shown of a longer line: around what was found, or from its start. */
const LINE_CHARS = 2_000;

/** Which lines of a text to show: those of a range, and of these only the ones around what is searched for. */
export function excerptOf(text: string, { lines: range, find }: ExcerptWish): Excerpt {
  const lines = linesOf(text);
  const [first, last] = boundsOf(range, lines.length);
  const asked = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const hits = find === undefined ? undefined : asked.filter((line) => has(lines[line - 1] ?? '', find));
  const wanted = hits ? asked.filter((line) => hits.some((hit) => Math.abs(hit - line) <= AROUND)) : asked;
  const shown: string[] = [];
  let chars = 0;
  for (const line of wanted) {
    const part = `${line}| ${shorten(lines[line - 1] ?? '', find)}`;
    chars += part.length + 1;
    if (chars > MAX_CHARS) break;
    const isApart = shown.length > 0 && wanted[shown.length - 1] !== line - 1;
    shown.push(isApart ? `…\n${part}` : part);
  }
  const next = wanted[shown.length];
  return {
    total_lines: lines.length,
    text: shown.join('\n'),
    ...(hits && { found: hits.length }),
    ...(next !== undefined && { more: `${next}-${last}` }),
  };
}

export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** The first and last line of `120-260`, `120-` or `120`, within the text. */
function boundsOf(range: string | undefined, total: number): readonly [number, number] {
  const [, from = '1', dash = '-', to = ''] = /^(\d+)(-?)(\d*)$/.exec(range ?? '1-') ?? [];
  const first = Math.max(1, Number(from));
  const last = to === '' ? (dash === '' ? first : total) : Number(to);
  return [first, Math.min(last, total)];
}

function has(line: string, find: string): boolean {
  return line.toLowerCase().includes(find.toLowerCase());
}

/** A line as it is, or the part of a long one: HTML is often one line. */
function shorten(line: string, find: string | undefined): string {
  if (line.length <= LINE_CHARS) return line;
  const place = find === undefined ? 0 : line.toLowerCase().indexOf(find.toLowerCase());
  const start = Math.max(0, place - LINE_CHARS / 2);
  const end = start + LINE_CHARS;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

/** A piece of a text; a new one is not in every text that it was compared with. */
export type Piece = { readonly text: string; readonly isNew: boolean };

/** Characters of a piece that all have, before its middle is left out. */
const MAX_SAME_LENGTH = 80;
const KEPT = 24;
/** Comparing takes the product of both counts. */
const MAX_WORDS = 300;

/** A text in pieces, by words and tags: what the others have too, in the same order, and what only it has. */
export function piecesOf(text: string, others: readonly string[]): Piece[] {
  const words = wordsOf(text);
  const common = others.map((other) => commonWords(words, wordsOf(other)));
  const pieces: Piece[] = [];
  for (const [at, word] of words.entries()) {
    const isNew = common.some((shared) => !shared.has(at));
    const last = pieces.at(-1);
    if (last?.isNew === isNew) pieces[pieces.length - 1] = { text: last.text + word, isNew };
    else pieces.push({ text: word, isNew });
  }
  return pieces.map((piece) => (piece.isNew ? piece : shortened(piece)));
}

/** `<p>`, `{{name}}`, a word or the space between two. */
function wordsOf(text: string): string[] {
  return text.match(/<[^<>]*>|\{\{[^{}]*\}\}|\s+|[^\s<{]+|[<{]/g) ?? [];
}

/** Places of the words that the other text has in the same order: the row with the most characters. */
function commonWords(words: readonly string[], other: readonly string[]): ReadonlySet<number> {
  const shared = new Set<number>();
  if (words.length * other.length > MAX_WORDS ** 2) return shared;
  const longest = longestRows(words, other);
  for (let at = 0, to = 0; at < words.length && to < other.length; ) {
    const isSame = words[at] === other[to];
    if (isSame) shared.add(at);
    const skipsOwn = valueAt(longest, at + 1, to) >= valueAt(longest, at, to + 1);
    if (isSame || skipsOwn) at++;
    if (isSame || !skipsOwn) to++;
  }
  return shared;
}

type Rows = readonly Uint32Array[];

const valueAt = (rows: Rows, at: number, to: number) => rows[at]?.[to] ?? 0;

/** How many characters of words both have in the same order, from each place of one and each place of the other. */
function longestRows(words: readonly string[], other: readonly string[]): Rows {
  const rows: Uint32Array[] = [];
  for (const [at, word] of [...words.entries()].reverse()) {
    const row = new Uint32Array(other.length + 1);
    rows[at] = row;
    for (let to = other.length - 1; to >= 0; to--) {
      const isSame = word === other[to];
      const skipped = Math.max(valueAt(rows, at + 1, to), valueAt(rows, at, to + 1));
      row[to] = isSame ? valueAt(rows, at + 1, to + 1) + word.length : skipped;
    }
  }
  return rows;
}

function shortened({ text, isNew }: Piece): Piece {
  if (text.length <= MAX_SAME_LENGTH) return { text, isNew };
  return { text: `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}`, isNew };
}

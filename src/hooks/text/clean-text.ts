// Characters that show nothing: controls, direction marks and what hides text; joiners that emoji need stay.
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

// Letters that are tags: the flags of England, Scotland and Wales are made of them, elsewhere they smuggle text.
const HIDDEN_TAGS = /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0000}-\u{e007f}]/gu;

// Up to a space or what closes a quotation or parenthesis around it.
const URL =
  /(?:\bhttps?:\/\/|\bwww\.)[^\s"”»)\]]+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,10}\/[^\s"”»)\]]*/giu;

const BOLD = /\*\*(.+?)\*\*/gu;

const LEAD =
  /^(?:(?:(?:hook|gancho|option|opción|title|título)\s*#?\d*\s*[:.)]|#{1,4}|\d{1,2}[.)]|[-*•–—])\s+)+/iu;

const PAIRS = ['""', '“”', '«»', "''", '‘’', '``', '„“'] as const;

// Signs alone are what is left of a link and its brackets, and one digit of a numbered list.
const SAYS_SOMETHING = /[\p{L}\p{RI}\p{Extended_Pictographic}]|\p{N}.*\p{N}/u;

export type CleanText = { readonly text: string; readonly hadUrl: boolean };

/** What is left of a written hook as one line, without controls, addresses, numbering, bold marks and quotes around it. */
export function cleanText(raw: string): CleanText {
  const hadUrl = findsUrl(raw);
  let text = raw;
  // What one step lays bare the next may take, until nothing changes.
  for (let before = ''; before !== text; ) {
    before = text;
    text = unwrap(strip(text).replace(LEAD, ''));
  }
  return { text: SAYS_SOMETHING.test(text) ? text : '', hadUrl };
}

function findsUrl(raw: string): boolean {
  return raw.search(URL) !== -1;
}

function strip(text: string): string {
  const visible = text.normalize('NFC').replace(/\s+/gu, ' ').replace(INVISIBLE, '').replace(HIDDEN_TAGS, '');
  return visible.replace(URL, '').replace(BOLD, '$1').replace(/\s+/gu, ' ').trim();
}

function unwrap(text: string): string {
  const pair = PAIRS.find(([open = '', close = '']) => {
    const inner = text.slice(1, -1);
    return (
      text.length > 2 &&
      text.startsWith(open) &&
      text.endsWith(close) &&
      !inner.includes(open) &&
      !inner.includes(close)
    );
  });
  return pair ? text.slice(1, -1).trim() : text;
}

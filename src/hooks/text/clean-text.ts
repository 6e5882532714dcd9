// Invisible characters: controls, direction marks and others that hide text. The joiners of emoji are kept.
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

// Tag characters: valid in the flags of England, Scotland and Wales, elsewhere they hide text.
const HIDDEN_TAGS = /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0000}-\u{e007f}]/gu;

// Ends at a space or at the closing quote or bracket.
const URL =
  /(?:\bhttps?:\/\/|\bwww\.)[^\s"”»)\]]+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,10}\/[^\s"”»)\]]*/giu;

const BOLD = /\*\*(.+?)\*\*/gu;

const LEAD =
  /^(?:(?:(?:hook|gancho|option|opción|title|título)\s*#?\d*\s*[:.)]|#{1,4}|\d{1,2}[.)]|[-*•–—])\s+)+/iu;

const PAIRS = ['""', '“”', '«»', "''", '‘’', '``', '„“'] as const;

// Symbols alone are the remains of a link, and a single digit those of a numbered list.
const HAS_CONTENT = /[\p{L}\p{RI}\p{Extended_Pictographic}]|\p{N}.*\p{N}/u;

export type CleanText = { readonly text: string; readonly hadUrl: boolean };

/** A written hook as one line, without control characters, URLs, numbering, bold marks and surrounding quotes. */
export function cleanText(raw: string): CleanText {
  const hadUrl = findsUrl(raw);
  let text = raw;
  // One step can expose what the next removes, so repeat until nothing changes.
  for (let before = ''; before !== text; ) {
    before = text;
    text = unwrap(strip(text).replace(LEAD, ''));
  }
  return { text: HAS_CONTENT.test(text) ? text : '', hadUrl };
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

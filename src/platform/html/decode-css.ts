const ESCAPES = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\n\r\f])?|\r\n|[\n\r\f]|([\s\S]?))/gi;

// By hand like css-urls.ts, with which it must agree on every escape.

/** A name, string or address of CSS without its escapes. */
export function decodeCss(text: string): string {
  return text.replace(ESCAPES, (_all, hex: string | undefined, char: string | undefined) => {
    if (hex === undefined) return char ?? '';
    const point = Number.parseInt(hex, 16);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : '\uFFFD';
  });
}

export type Declaration = { readonly property: string; readonly value: string; readonly important: boolean };

/** Reads `color: red; margin: 0 !important`. Names come in lower case, values as they are written. */
export function declarations(style: string): Declaration[] {
  return pieces(style).flatMap((piece) => {
    const colon = piece.indexOf(':');
    const property = piece.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const written = piece.slice(colon + 1).trim();
    const important = written.toLowerCase().endsWith('important') && written.includes('!');
    const value = important ? written.slice(0, written.lastIndexOf('!')).trim() : written;
    return property === '' || value === '' ? [] : [{ property, value, important }];
  });
}

const CLOSERS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')', '/*': '*/' };

/** Cuts at semicolons that are neither quoted nor in brackets, and leaves comments out. Reads every character once. */
function pieces(style: string): string[] {
  const found: string[] = [];
  const mark = /[;"'(]|\/\*/g;
  let piece = '';
  let from = 0;
  for (let match = mark.exec(style); match; match = mark.exec(style)) {
    const [sign] = match;
    const closer = CLOSERS[sign];
    const end = closer === undefined ? mark.lastIndex : style.indexOf(closer, mark.lastIndex);
    // What is opened and never closed runs to the end, as in a browser.
    mark.lastIndex = end < 0 ? style.length : end + (closer?.length ?? 0);
    const isKept = sign !== ';' && sign !== '/*';
    piece += style.slice(from, isKept ? mark.lastIndex : match.index);
    from = mark.lastIndex;
    if (sign === ';') found.push(piece);
    if (sign === ';') piece = '';
  }
  return [...found, piece + style.slice(from)];
}

/**
 * `asset:images/logo.png` and `asset:ast_…` stand for files of the account's library wherever an address is expected. In CSS
 * and in attributes a reference ends where an address would.
 */
const SCHEME = /^asset:/i;

/** The path or ID of a reference; undefined for any other address. */
export function readAssetReference(address: string): string | undefined {
  if (!SCHEME.test(address)) return undefined;
  const written = address.replace(SCHEME, '').replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(written).normalize('NFC');
  } catch {
    return written;
  }
}

// A tag, or an address in a style sheet. Neither part can begin inside the other, so the text is read once.
const PLACES = /<[a-z][^<>]*>|url\(\s*["']?asset:[^"'()\s<>]+/gi;
const REFERENCE = /(?<=["'(=,\s])asset:([^"'()\s<>,?#&;]+)/gi;
// Every render looks for one, and most have none. To look for the character before it, too, takes half the time.
const BEGINS = /["'(=,\s]asset:/i;

/** The references in the addresses of an HTML text. What is text for readers is none. */
export function findAssetReferences(html: string): string[] {
  const found = new Set<string>();
  if (!BEGINS.test(html)) return [];
  for (const [place] of html.matchAll(PLACES)) {
    for (const [address] of place.matchAll(REFERENCE)) found.add(readAssetReference(address) ?? '');
  }
  return [...found];
}

/** Puts addresses in the place of references; those that `addressOf` does not know stay. */
export function replaceAssetReferences(
  html: string,
  addressOf: (reference: string) => string | undefined,
): string {
  return html.replace(PLACES, (place) =>
    place.replace(REFERENCE, (address) => addressOf(readAssetReference(address) ?? '') ?? address),
  );
}

/**
 * A character reference that fixed text starts and a value could complete or lengthen: after `&#5` a value `8alert()` writes a
 * colon, with or without the semicolon. A named one needs its semicolon, which `isSafeAddressPart` refuses.
 */
const UNFINISHED_REFERENCE = /&(?:#\w*)?$/;

/** Stands for an expression in the text of an attribute. */
export const HOLE = '\uFFFC';

/** Where a link may lead when its address comes from data. */
const LINK_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'cid', 'asset']);
const SCRIPT_SCHEMES = new Set(['javascript', 'vbscript', 'livescript']);
const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  tab: '\t',
  newline: '\n',
  amp: '&',
  sol: '/',
  num: '#',
};

/**
 * How far the start of an address decides what it is: `start` nothing yet, `open` a scheme could still follow, `decided`,
 * `script` runs code, `split` its scheme is put together from an expression and fixed text.
 */
export function addressStatus(value: string): 'start' | 'open' | 'decided' | 'script' | 'split' {
  const unfinished = UNFINISHED_REFERENCE.test(value);
  const address = normalize(decodeEntities(value.replace(UNFINISHED_REFERENCE, '')));
  const end = address.search(/[:/?#\\]/);
  if (end < 0 && unfinished) return 'split';
  if (address === '') return 'start';
  // The attribute's text is kept up to 128 characters, and no scheme is that long.
  if (end < 0) return address.length < 100 ? 'open' : 'decided';
  if (address[end] !== ':') return 'decided';
  const scheme = address.slice(0, end).toLowerCase();
  if (scheme.includes(HOLE)) return 'split';
  if (scheme === 'data') return /^data:image\//i.test(address) ? 'decided' : 'script';
  return SCRIPT_SCHEMES.has(scheme) ? 'script' : 'decided';
}

/** Whether a value may be a whole address. Without a scheme it is relative, which is harmless. */
export function isSafeAddress(value: string, place: 'link' | 'image'): boolean {
  // Nearly every address there is, and nothing that is dropped or decoded stands before its scheme.
  if (/^(?:https?|mailto|tel):/i.test(value)) return true;
  return [value, decodeEntities(value)].every((text) => {
    const address = normalize(text);
    const scheme = schemeOf(address);
    if (scheme === null || LINK_SCHEMES.has(scheme)) return true;
    return place === 'image' && /^data:image\//i.test(address);
  });
}

/**
 * Whether a value may continue an address whose scheme is not decided yet: it must not decide it, nor end a character reference
 * that decides it.
 */
export function isSafeAddressPart(value: string): boolean {
  if (/^#?\w{0,10};/.test(value)) return false;
  return [value, decodeEntities(value)].every((text) => !/^[^/?#\\]*:/.test(normalize(text)));
}

/** The name a preview leaves where a value is missing. */
const PLACEHOLDER = /^\{\{@?[\p{L}\p{N}_.[\]-]+\}\}$/u;

/**
 * Whether a value may stand inside a declaration of a style: it must not end the declaration, nor load anything. An image written
 * out as `data:` has a semicolon of its own.
 */
export function isSafeStyleValue(value: string): boolean {
  if (PLACEHOLDER.test(value)) return true;
  if (/^data:image\/[a-z0-9.+-]{1,20};base64,[a-z0-9+/=]*$/i.test(value)) return true;
  return !/[;{}\\]|\/\*|(?:url|expression|image-set)\s*\(/i.test(value);
}

/** What the URL parser of the WHATWG drops before it looks for a scheme. */
function normalize(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters the standard names
  return text.replace(/^[\u0000-\u0020]+/, '').replace(/[\t\n\r]/g, '');
}

function schemeOf(address: string): string | null {
  return /^[a-z][a-z0-9+.-]*(?=:)/i.exec(address)?.[0].toLowerCase() ?? null;
}

/** The character references a scheme could hide behind. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z]{1,8}));?/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export type SrcsetImage = { readonly url: string; readonly descriptor: string };

/** Parses a `srcset` as https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute does. */
export function readSrcset(srcset: string): SrcsetImage[] {
  const images: SrcsetImage[] = [];
  let at = find(srcset, /[^\s,]/g, 0);
  while (at < srcset.length) {
    const end = find(srcset, /\s/g, at);
    const word = srcset.slice(at, end);
    // A comma at the end of an address ends the image, which then has no descriptor.
    const next = word.endsWith(',') ? end : endOfDescriptor(srcset, end);
    images.push({ url: withoutCommas(word), descriptor: srcset.slice(end, next).trim() });
    at = find(srcset, /[^\s,]/g, next);
  }
  return images;
}

export function writeSrcset(images: readonly SrcsetImage[]): string {
  return images.map(({ url, descriptor }) => `${url} ${descriptor}`.trim()).join(', ');
}

/** Index of the next comma outside brackets. */
function endOfDescriptor(srcset: string, start: number): number {
  let at = find(srcset, /[,(]/g, start);
  while (srcset.charAt(at) === '(') at = find(srcset, /[,(]/g, find(srcset, /\)/g, at));
  return at;
}

function withoutCommas(word: string): string {
  let end = word.length;
  while (word.charAt(end - 1) === ',') end--;
  return word.slice(0, end);
}

function find(text: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

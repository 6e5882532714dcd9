import type { Found, Mail } from '../finding.ts';
import { CLIP_BYTES } from '../limits.ts';

/** Gmail shows the beginning of a large mail and a link to the rest, so what is below, and its count of opens, is lost. */
export function* size({ html }: Pick<Mail, 'html'>): Iterable<Found> {
  const bytes = Buffer.byteLength(html);
  const params = { bytes, limit: CLIP_BYTES };
  if (bytes > CLIP_BYTES) yield { rule: 'size-clip', params };
  else if (bytes >= CLIP_BYTES * 0.8) yield { rule: 'size-near-clip', params };
}

/** Gmail ignores style elements beyond this many characters. */
const STYLE_CHARS = 16 * 1024;

export function* styleSize({ styleChars }: { readonly styleChars: number }): Iterable<Found> {
  if (styleChars > STYLE_CHARS)
    yield { rule: 'style-size', params: { chars: styleChars, limit: STYLE_CHARS } };
}

/**
 * Returns whether an image file is animated: a GIF, PNG, WebP or AVIF (`picture`), or an SVG with animations
 * (`vector`).
 */
export function animatedImageKind(bytes: Uint8Array): 'picture' | 'vector' | undefined {
  // One byte per character: the signatures of these formats are ASCII.
  const text = new TextDecoder('latin1').decode(bytes);
  if (/^GIF8[79]a/.test(text)) return text.split(GIF_FRAME).length > 2 ? 'picture' : undefined;
  if (text.slice(1, 4) === 'PNG')
    return text.slice(0, PNG_HEAD_CHARS).includes('acTL') ? 'picture' : undefined;
  if (text.slice(8, 16) === 'WEBPVP8X') return hasAnimationFlag(bytes) ? 'picture' : undefined;
  if (text.slice(4, 12) === 'ftypavis') return 'picture';
  const isVector = /<svg[\s>]/.test(text);
  return isVector && /<(animate|set)\b|@keyframes|@-webkit-keyframes/.test(text) ? 'vector' : undefined;
}

/** Each frame of an animation has a block with its display time. */
const GIF_FRAME = '\x21\xf9\x04';

/** The animation block comes before the pixels. */
const PNG_HEAD_CHARS = 64 * 1024;

// The byte after the size of the VP8X block.
function hasAnimationFlag(bytes: Uint8Array): boolean {
  return ((bytes[20] ?? 0) & 0x02) !== 0;
}

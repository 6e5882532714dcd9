import type { ImageText } from '../../platform/html/html-places.ts';

const CHARACTER_WIDTH = 8;
const LINE_HEIGHT = 18;
const INSET = 8;
const WIDEST = 560;
const MAX_SIDE = 4_000;

/**
 * A box with an image's alternative text, as email clients show it where the image is missing. It has the image's width
 * and height where they are written, else those that the text needs, and wraps the text again when it is shown smaller.
 */
export function altBox({ alt, width, height }: ImageText): string {
  const wide = pixels(width) ?? Math.min(alt.length * CHARACTER_WIDTH + INSET, WIDEST);
  const lines = Math.ceil((alt.length * CHARACTER_WIDTH) / Math.max(wide - INSET, CHARACTER_WIDTH));
  const high = pixels(height) ?? Math.min(lines * LINE_HEIGHT + INSET, MAX_SIDE);
  const style = `box-sizing:border-box;width:100%;height:100%;padding:3px;overflow:hidden;overflow-wrap:anywhere;border:1px solid #bbb;background:#f4f4f4;color:#444;font:14px/${LINE_HEIGHT}px sans-serif`;
  const box = `<div xmlns="http://www.w3.org/1999/xhtml" dir="auto" style="${style}">${escapeXml(alt)}</div>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><foreignObject width="100%" height="100%">${box}</foreignObject></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** An HTML length in pixels; a share of the space is no size of the image's own. */
function pixels(written: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,5})(?:\.\d*)?(?:px)?\s*$/.exec(written ?? '') ?? [];
  return digits === undefined || Number(digits) === 0 ? undefined : Math.min(Number(digits), MAX_SIDE);
}

/** XML has no form for control characters and lone surrogates; with one of them the box would be no image. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

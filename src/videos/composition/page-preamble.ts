import type { Timing } from './composition.ts';

/** What stands in the head of every page: the measures as variables of CSS, and those shipped fonts that the html names. */
export function pagePreamble(html: string, timing: Timing, duration: number, fontFaces: string): string {
  const { width, height, fps } = timing;
  const variables = `:root{--w:${width}px;--h:${height}px;--fps:${fps};--duration:${duration}s}`;
  return `<style>${[...facesOf(html, fontFaces), variables].join('\n')}</style>`;
}

function facesOf(html: string, fontFaces: string): string[] {
  const faces = fontFaces.match(/@font-face\s*\{[^}]*\}/g) ?? [];
  return faces.filter((face) => {
    const [, family] = /font-family:\s*['"]?([^'";]+)/.exec(face) ?? [];
    return family !== undefined && html.includes(family);
  });
}

import type { Warning } from '../../language.ts';
import type { Inspection } from '../composition/inspect-page.ts';
import { blankComments, blankMustaches } from './blank-out.ts';
import type { VideoTemplate } from './video-template.ts';

type Linted = Pick<VideoTemplate, 'html' | 'manifest'>;

const MOVES =
  /@keyframes|\banimation(?:-name)?\s*:|\btransition\s*:|<(?:animate|set)\b|\bdata-(?:scene|split|enter|count-to|captions)\b/i;
// Each takes a whole value, so that no text is read twice.
const VALUES = /\banimation(?:-iteration-count)?\s*:([^;}"']*)|\brepeatCount\s*=\s*["']?(\w*)/gi;
const ENDLESS = /\b(?:infinite|indefinite)\b/i;
const REMOTE = /(?:\b(?:src|srcset|href)\s*=\s*["']?|url\(\s*["']?)(https:\/\/[^\s"')<>]+)/gi;
const LINK_TO_PAGE = /<a\s[^>]*$/i;

const MOST_OF_A_KIND = 10;
const SHOWN_CHARACTERS = 200;

/** What of a template makes its videos slower, less certain or less lively than they need be, in the order of its lines. */
export function lintTemplate(
  { html, manifest }: Linted,
  { canvases }: Pick<Inspection, 'canvases'>,
): Warning[] {
  const text = blankComments(blankMustaches(html));
  const still = !manifest.scripts && !MOVES.test(text);
  const found: Warning[] = [
    ...(still ? [{ key: 'video_no_animation' } as const] : []),
    ...(manifest.scripts ? [{ key: 'video_scripts' } as const] : []),
    ...canvases.slice(0, MOST_OF_A_KIND).map((spot) => ({ key: 'video_canvas', ...spot }) as const),
    ...[...text.matchAll(VALUES)]
      .filter(([, css = '', svg = '']) => ENDLESS.test(css || svg))
      .slice(0, MOST_OF_A_KIND)
      .map(({ index }) => ({ key: 'video_endless_animation', ...placeIn(text, index) }) as const),
    ...remotes(text),
  ];
  return found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

function remotes(text: string): Warning[] {
  return [...text.matchAll(REMOTE)]
    .filter(({ index }) => !LINK_TO_PAGE.test(text.slice(Math.max(0, index - SHOWN_CHARACTERS), index)))
    .slice(0, MOST_OF_A_KIND)
    .map(({ index, 1: address = '' }) => ({
      key: 'video_remote_address',
      params: { address: address.slice(0, SHOWN_CHARACTERS) },
      ...placeIn(text, index),
    }));
}

function placeIn(text: string, at: number): { line: number; col: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, col: at - before.lastIndexOf('\n') };
}

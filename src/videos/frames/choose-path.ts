import type { FrameEncoder } from '../encode/frame-encoder.ts';
import type { ChunkRequest } from './stage.ts';

/** What a browser can do for a page. */
export type Ability = {
  /** It paints elements onto a canvas. */
  readonly canvas: boolean;
  /** What it encodes by itself, by format, such as `avc1.640028`. */
  readonly encoders: { readonly mp4: string | undefined; readonly webm: string | undefined };
  /** Why it does not paint. */
  readonly reason?: string;
};

/** Why another than the first way is taken. */
type Choice =
  | { readonly path: 'canvas'; readonly encoder: FrameEncoder }
  | { readonly path: 'in_page'; readonly reason: string }
  | { readonly path: 'screenshot'; readonly reason: string };

type Means = {
  readonly ability: Ability;
  /** The one outside of the browser. */
  readonly encoder: FrameEncoder | undefined;
  readonly wanted: Pick<ChunkRequest, 'format' | 'quality'>;
};

/** The way that suits a chunk best on this machine; `screenshot` needs an encoder. */
export function choosePath({ ability, encoder, wanted }: Means): Choice {
  const { canvas, encoders, reason = 'this browser does not paint elements' } = ability;
  const encodes = encoders[wanted.format] !== undefined;
  if (!canvas) return { path: 'screenshot', reason };
  if (!encoder && encodes) return { path: 'in_page', reason: 'no encoder is installed' };
  if (!encoder) return { path: 'screenshot', reason: `this browser does not encode ${wanted.format}` };
  if (wanted.quality === 'draft' && encodes) return { path: 'in_page', reason: 'it is a draft' };
  return { path: 'canvas', encoder };
}

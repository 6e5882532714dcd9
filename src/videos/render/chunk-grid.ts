import { newId } from '../../platform/ids.ts';
import type { Span } from '../frames/frames.ts';

/** A piece of the grid that every video is cut by, whoever makes it. */
export type ChunkSpan = Span & { readonly id: string; readonly idx: number };

/** Frames of a chunk. */
const CHUNK_FRAMES = 150;

/** The chunks of frames `from` to `to`, the last one not included, each with a new id. */
export function chunkGrid({ from, to }: Span): ChunkSpan[] {
  const count = Math.ceil((to - from) / CHUNK_FRAMES);
  return Array.from({ length: count }, (_, idx) => ({
    id: newId('vst'),
    idx,
    from: from + idx * CHUNK_FRAMES,
    to: Math.min(to, from + (idx + 1) * CHUNK_FRAMES),
  }));
}

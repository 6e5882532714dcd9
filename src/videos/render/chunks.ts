import { newId } from '../../platform/ids.ts';
import type { Span } from '../frames/frames.ts';
import type { Step } from './step-repo.ts';

/** A chunk of the grid that every video is cut by, on any machine. */
export type ChunkSpan = Span & { readonly id: string; readonly idx: number };

const FRAMES_PER_CHUNK = 150;

/** The chunks of frames `from` to `to`, the last one not included, each with a new ID. */
export function chunkGrid({ from, to }: Span): ChunkSpan[] {
  const count = Math.ceil((to - from) / FRAMES_PER_CHUNK);
  return Array.from({ length: count }, (_, idx) => ({
    id: newId('vst'),
    idx,
    from: from + idx * FRAMES_PER_CHUNK,
    to: Math.min(to, from + (idx + 1) * FRAMES_PER_CHUNK),
  }));
}

/** Of chunks that are all done, those of another engine than the newest: streams of two engines cannot be joined. */
export function mismatchedChunks(chunks: readonly Step[]): Step[] {
  const at = ({ done_at }: Step) => done_at?.getTime() ?? 0;
  const [newest] = chunks.toSorted((one, other) => at(other) - at(one));
  return chunks.filter(({ fingerprint }) => fingerprint !== newest?.fingerprint);
}

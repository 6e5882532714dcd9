import { newId } from '../../platform/ids.ts';
import type { Timing } from '../composition/composition.ts';
import type { Span } from '../frames/frames.ts';
import type { Step } from './step-repo.ts';

/** A chunk of the grid that every video is cut by, on any machine. */
export type ChunkSpan = Span & { readonly id: string; readonly idx: number };

const FRAMES_PER_CHUNK = 150;
/** Of frames above 1920 × 1920, so that other accounts' videos wait no longer for their turn. */
const LARGE_FRAMES_PER_CHUNK = 60;
const LARGE_PIXELS = 1_920 * 1_920;

type Size = Pick<Timing, 'width' | 'height'>;

/** The chunks of frames `from` to `to`, the last one not included, each with a new ID. */
export function chunkGrid({ from, to }: Span, { width, height }: Size): ChunkSpan[] {
  const length = width * height > LARGE_PIXELS ? LARGE_FRAMES_PER_CHUNK : FRAMES_PER_CHUNK;
  const count = Math.ceil((to - from) / length);
  return Array.from({ length: count }, (_, idx) => ({
    id: newId('vst'),
    idx,
    from: from + idx * length,
    to: Math.min(to, from + (idx + 1) * length),
  }));
}

/** Of completed chunks, those of another engine than the newest: streams of two engines can't be joined. */
export function mismatchedChunks(chunks: readonly Step[]): Step[] {
  const at = ({ done_at }: Step) => done_at?.getTime() ?? 0;
  const [newest] = chunks.toSorted((one, other) => at(other) - at(one));
  return chunks.filter(({ fingerprint }) => fingerprint !== newest?.fingerprint);
}

import type { Warning } from '../../language.ts';
import type { Step } from './step-repo.ts';

/** Nothing in a chunk of a transparent video is transparent. */
export const OPAQUE_CHUNK: Warning = { key: 'video_opaque' };

/** What rendering the chunks of a video found. It is opaque only if all its chunks are. */
export function warningsOf(chunks: readonly Pick<Step, 'warnings'>[]): Warning[] {
  const isOpaque = chunks.every(({ warnings }) => warnings?.some(({ key }) => key === OPAQUE_CHUNK.key));
  const found = chunks.flatMap(({ warnings }) => warnings ?? []);
  return isOpaque ? found : found.filter(({ key }) => key !== OPAQUE_CHUNK.key);
}

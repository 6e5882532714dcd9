import type { Step } from './step.ts';

/** Of chunks that are all done, those made by another engine than the newest: streams of two engines cannot be joined. */
export function oddChunks(chunks: readonly Step[]): Step[] {
  const at = ({ done_at }: Step) => done_at?.getTime() ?? 0;
  const [newest] = chunks.toSorted((one, other) => at(other) - at(one));
  return chunks.filter(({ fingerprint }) => fingerprint !== newest?.fingerprint);
}

import { createSimilarityIndex } from '../text/similarity.ts';
import type { HookContext } from './check-hook.ts';
import { type JudgedHook, judgeHook } from './judge-hook.ts';

/** Judges hooks as one batch: each also against those before it. */
export function scoreHooks(texts: readonly string[], context: Omit<HookContext, 'earlier'>): JudgedHook[] {
  const earlier = createSimilarityIndex();
  return texts.map((text) => {
    const judged = judgeHook(text, { ...context, earlier });
    earlier.add(judged.text);
    return judged;
  });
}

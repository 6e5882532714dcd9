import { createHookFeedback } from './history/feedback.ts';
import { createHistory } from './history/history.ts';
import { createHistoryExport } from './history/history-export.ts';
import { createRecentHooks } from './history/recent-hooks.ts';
import { createHookBatch } from './writing/batch.ts';
import { createSubmissions } from './writing/submitting.ts';
import { createHookGenerator, type HookGeneratorDeps } from './writing/writing.ts';

/**
 * The hooks service: opening lines for videos and posts.
 *
 *   writing/  generates hooks with a model or from built-in patterns, and takes hooks the caller's own model wrote
 *   scoring/  cleans, checks and scores one hook against its platform, language and topic
 *   text/     reads text: words, graphemes, language, similarity
 *   history/  stores generations, exports them, learns from feedback
 *
 * In: a caller with a topic, or with hooks of their own. Out: hooks with their scores, kept as a generation.
 * Invariant: a stored hook passed every check, and its charge and its row were written by one statement.
 */
export function createHooks(deps: Omit<HookGeneratorDeps, 'recentHooks' | 'styleRanking'>) {
  const { sql, entitlements } = deps;
  const recentHooks = createRecentHooks(sql);
  const feedback = createHookFeedback(sql);
  const generator = createHookGenerator({ ...deps, recentHooks, styleRanking: feedback.styleRanking });
  const history = createHistory({ sql, entitlements, recentHooks });
  return {
    generator,
    batch: createHookBatch({ generator, entitlements }),
    submissions: createSubmissions({ sql, recentHooks }),
    history,
    historyExport: createHistoryExport({ history, entitlements }),
    feedback,
    listeners: recentHooks.listeners,
  };
}

import { createHookFeedback } from './history/feedback.ts';
import { createGenerationStore } from './history/generation-repo.ts';
import { createHistory } from './history/history.ts';
import { createHistoryExport } from './history/history-export.ts';
import { createMemory } from './history/recent-hooks.ts';
import { createHookBatch } from './writing/batch.ts';
import { createSubmitting } from './writing/submitting.ts';
import { createGenerating, type GeneratingParts } from './writing/writing.ts';

export type Hooks = ReturnType<typeof createHooks>;

/** The hook generation application's own work. */
export function createHooks(parts: Omit<GeneratingParts, 'memory' | 'favourites'>) {
  const { sql, entitlements } = parts;
  const memory = createMemory({ history: createGenerationStore(sql) });
  const feedback = createHookFeedback(sql);
  const generating = createGenerating({ ...parts, memory, favourites: feedback.favourites });
  const history = createHistory({ sql, entitlements, memory });
  return {
    generating,
    batch: createHookBatch({ generating, entitlements }),
    submitting: createSubmitting({ sql, memory }),
    history,
    historyExport: createHistoryExport({ history, entitlements }),
    feedback,
    /** Forgets the hooks of one account, or of all; called on every node when some were deleted. */
    forget: memory.forget,
  };
}

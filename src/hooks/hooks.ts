import { createHookBatch } from './batch.ts';
import { createHookFeedback } from './feedback.ts';
import { createGenerating, type GeneratingParts } from './generating.ts';
import { createGenerationStore } from './generation-store.ts';
import { createHistory } from './history.ts';
import { createHistoryExport } from './history-export.ts';
import { createMemory } from './memory.ts';
import { createSubmitting } from './submitting.ts';

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
    listeners: memory.listeners,
  };
}

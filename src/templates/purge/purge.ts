import type { Sql } from '../../platform/database/database.ts';
import { createPurgeStore } from './store.ts';

/** Forgets templates deleted 30 days ago or longer, with their versions. Answers how many. */
export function createPurge(sql: Sql) {
  const store = createPurgeStore(sql);
  return async (): Promise<number> => {
    const templates = await store.deleteTemplates();
    if (templates > 0) await store.deleteContents();
    return templates;
  };
}

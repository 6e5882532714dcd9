import { z } from 'zod';
import { localizeSyncError } from '../../src/language.ts';
import { defineTool } from '../contract/define.ts';

const Conflict = z.object({
  config_id: z.string(),
  run_id: z.string(),
  key: z.string(),
  row: z.number().nullable(),
  field: z.string(),
  store: z.string().nullable(),
  sheet: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  found_at: z.string(),
});

export const listConflicts = defineTool({
  name: 'list_conflicts',
  title: 'List sync conflicts',
  description:
    'List cells that changed in both the store and the sheet, from the newest run of each two-way configuration. They stay as they are until you use resolve_conflicts.',
  keywords: {
    en: [
      'sync conflicts',
      'changed on both sides',
      'store and sheet disagree',
      'which value is right',
      'where do store and sheet differ',
    ],
    es: [
      'conflictos de sincronización',
      'cambió en los dos lados',
      'tienda y hoja no coinciden',
      'valores distintos',
      'en qué difieren la tienda y la hoja',
    ],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/conflicts' },
  input: z.object({ config_id: z.string().max(100).optional() }),
  output: z.object({ items: z.array(Conflict) }),
  run: async ({ config_id }, call) => {
    const { app, caller } = call;
    const items = await app.sync.runs.conflicts(caller.accountId, { config_id });
    return {
      items: items.map(({ code, found_at, ...conflict }) => {
        const params = { store: conflict.store ?? '', sheet: conflict.sheet ?? '' };
        return {
          ...conflict,
          ...localizeSyncError({ key: code, params }, call),
          found_at: found_at.toISOString(),
        };
      }),
    };
  },
  examples: [{ title: 'No conflicts', input: {} }],
});

import { z } from 'zod';
import { localizeSyncError } from '../../src/language.ts';
import { STORE_FIELDS } from '../../src/sync/field.ts';
import { defineTool } from '../define.ts';

const Conflict = z.object({
  config_id: z.string(),
  run_id: z.string(),
  key: z.string(),
  row: z.number().nullable(),
  field: z.enum(STORE_FIELDS),
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
    'List the cells that store and sheet both changed, as the newest run of each two-way configuration found them. Nothing is written to them until resolve_conflicts says which is right.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  route: 'GET /sync/conflicts',
  input: z.object({ config_id: z.string().max(100).optional() }),
  output: z.object({ items: z.array(Conflict) }),
  run: async ({ config_id }, { app, caller, locale }) => {
    const items = await app.sync.runs.conflicts(caller.accountId, { config_id });
    return {
      items: items.map(({ code, found_at, ...conflict }) => {
        const params = { store: conflict.store ?? '', sheet: conflict.sheet ?? '' };
        return {
          ...conflict,
          ...localizeSyncError({ key: code, params }, locale),
          found_at: found_at.toISOString(),
        };
      }),
    };
  },
  examples: [{ title: 'there are none', input: {} }],
});

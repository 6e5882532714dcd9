import { z } from 'zod';
import { FIELDS, STORE_FIELDS } from '../../src/sync/values/field.ts';
import { defineTool } from '../define.ts';

const KINDS = ['text', 'money', 'quantity', 'decimal', 'integer', 'boolean'] as const;
const LEVELS = ['product', 'variant', 'item', 'quantity'] as const;

export const listSyncFields = defineTool({
  name: 'list_sync_fields',
  title: 'List store fields',
  description: 'List the fields of a store that a column can be mapped to, and what each holds.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  route: 'GET /sync/fields',
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        field: z.enum(STORE_FIELDS),
        kind: z.enum(KINDS),
        level: z
          .enum(LEVELS)
          .meta({ description: 'What has one value of it; quantity: an item at a location' }),
      }),
    ),
  }),
  run: async () => ({ items: STORE_FIELDS.map((field) => ({ field, ...FIELDS[field] })) }),
  examples: [{ title: 'all nine', input: {} }],
});

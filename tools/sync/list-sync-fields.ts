import { z } from 'zod';
import { FIELDS, STORE_FIELDS } from '../../src/sync/values/field.ts';
import { defineTool } from '../contract/define.ts';

const KINDS = ['text', 'money', 'quantity', 'decimal', 'integer', 'boolean'] as const;
const LEVELS = ['product', 'variant', 'item', 'quantity'] as const;

export const listSyncFields = defineTool({
  name: 'list_sync_fields',
  title: 'List store fields',
  description:
    'List the store fields that a sheet column can map to, with the kind of value each holds. Use them as store_field in the mappings of create_sync_config.',
  keywords: {
    en: ['store fields for mapping', 'what can a column map to', 'syncable fields', 'price, inventory, sku'],
    es: [
      'campos de la tienda',
      'a qué se puede asignar una columna',
      'campos que se sincronizan',
      'qué se puede sincronizar',
      'precio, inventario, sku',
    ],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/fields' },
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        field: z.enum(STORE_FIELDS),
        kind: z.enum(KINDS),
        level: z
          .enum(LEVELS)
          .meta({ description: 'Owner of the value; quantity means an item at a location' }),
      }),
    ),
  }),
  run: async () => ({ items: STORE_FIELDS.map((field) => ({ field, ...FIELDS[field] })) }),
  examples: [{ title: 'All nine fields', input: {} }],
});

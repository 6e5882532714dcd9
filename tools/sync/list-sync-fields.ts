import { z } from 'zod';
import { FIELDS, STORE_FIELDS, specOf } from '../../src/sync/values/field.ts';
import { defineTool } from '../contract/define.ts';

const KINDS = [
  'text',
  'money',
  'quantity',
  'decimal',
  'integer',
  'boolean',
  'choice',
  'tags',
  'metafield',
] as const;
const LEVELS = ['product', 'variant', 'item', 'quantity'] as const;

export const listSyncFields = defineTool({
  name: 'list_sync_fields',
  title: 'List store fields',
  description:
    'List the store fields that a sheet column can map to, with the kind of value each holds, including metafields of products and variants by name and a quantity per location. Use them as store_field in the mappings of create_sync_config.',
  keywords: {
    en: [
      'store fields for mapping',
      'what can a column map to',
      'syncable fields',
      'price, inventory, sku',
      'metafield, tags, cost, SEO columns',
    ],
    es: [
      'campos de la tienda',
      'a qué se puede asignar una columna',
      'campos que se sincronizan',
      'qué se puede sincronizar',
      'precio, inventario, sku',
      'columnas de metacampos, etiquetas, coste, SEO',
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
        field: z.string(),
        kind: z.enum(KINDS),
        level: z
          .enum(LEVELS)
          .meta({ description: 'Owner of the value; quantity means an item at a location' }),
        choices: z.array(z.string()).optional(),
        can_be_empty: z.boolean().meta({ description: 'Whether an empty cell may empty the field' }),
      }),
    ),
  }),
  run: async () => ({
    items: [...STORE_FIELDS.map((field) => presentField(field, FIELDS[field])), ...NAMED_BY_CALLER],
  }),
  examples: [{ title: 'All fields', input: {} }],
});

function presentField(field: string, { kind, level, choices, empty }: ReturnType<typeof specOf>) {
  const words = choices && { choices: Object.values(choices) };
  return { field, kind, level, ...words, can_be_empty: empty !== undefined };
}

/** Fields with a part that the caller fills in. */
const NAMED_BY_CALLER = [
  presentField('metafield:NAMESPACE.KEY', specOf('metafield:NAMESPACE.KEY')),
  presentField('variant_metafield:NAMESPACE.KEY', specOf('variant_metafield:NAMESPACE.KEY')),
  presentField('inventory_quantity:LOCATION_ID', specOf('inventory_quantity:LOCATION_ID')),
];

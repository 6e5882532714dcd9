import { z } from 'zod';
import { STORE_FIELDS } from './field.ts';

const METAFIELD_NAME = z.string().regex(/[\w-]{2,255}\.[\w-]{2,64}/);

/** The name of a store field, as a mapping has it. */
export const FieldName = z.union([
  z.enum(STORE_FIELDS),
  z.templateLiteral(['metafield:', METAFIELD_NAME]),
  z.templateLiteral(['variant_metafield:', METAFIELD_NAME]),
  z.templateLiteral(['inventory_quantity:', z.string().regex(/\d{1,20}/)]),
]);

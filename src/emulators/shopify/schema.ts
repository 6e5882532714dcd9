import { readFileSync } from 'node:fs';
import { buildSchema, extendSchema, GraphQLError, type GraphQLSchema, isScalarType, parse } from 'graphql';

const FILE = new URL('./admin.graphql', import.meta.url);

/** What the version before had and the current one no longer has. */
const FORMERLY = parse('extend enum InventorySetQuantitiesUserErrorCode { ITEM_NOT_STOCKED_AT_LOCATION }');

/** The part of the Admin API that the emulator knows, as it is in `version`. */
export function adminSchema(version: string): GraphQLSchema {
  const current = buildSchema(readFileSync(FILE, 'utf8'));
  const schema = version < '2026-10' ? extendSchema(current, FORMERLY) : current;
  const money = schema.getType('Money');
  if (money && isScalarType(money)) money.parseValue = parseMoney;
  return schema;
}

function parseMoney(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^-?\d{1,16}(\.\d{1,10})?$/.test(text)) return text;
  throw new GraphQLError(`invalid money '${String(value)}'`);
}

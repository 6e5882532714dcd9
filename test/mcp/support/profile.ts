import type { WireTool } from '../../../tools/mcp/catalog.ts';

/**
 * What makes some model vendor refuse a tool's input, and with it often the whole list: one line a fault. An input is
 * one object that names its properties; types are single words; there are no references, no choice at the top, no part
 * that says nothing, and no choice but among texts that are not empty.
 */
export function profileFaults({ name, inputSchema }: WireTool): string[] {
  const choices = ['anyOf', 'oneOf', 'allOf'].filter((keyword) => keyword in inputSchema);
  const faults = [
    ...(inputSchema.type === 'object' ? [] : ['is not one object']),
    ...('properties' in inputSchema ? [] : ['has no properties, not even none']),
    ...choices.map((keyword) => `has ${keyword} at the top`),
    ...partFaults(inputSchema, 'input'),
  ];
  return faults.map((fault) => `${name}: ${fault}`);
}

type Part = Readonly<Record<string, unknown>>;

function partFaults(part: Part, place: string): string[] {
  const { type } = part;
  const own = [
    ...(Array.isArray(type) ? [`${place} has several types`] : []),
    ...['$ref', '$defs', 'propertyNames'].filter((key) => key in part).map((key) => `${place} has ${key}`),
    ...(Object.keys(part).length === 0 ? [`${place} says nothing`] : []),
    ...choicesOf(part)
      .filter(isNoText)
      .map((value) => `${place} may be ${JSON.stringify(value)}`),
  ];
  return [...own, ...innerParts(part).flatMap(([inner, where]) => partFaults(inner, `${place}.${where}`))];
}

function choicesOf(part: Part): readonly unknown[] {
  return [...((part['enum'] as unknown[] | undefined) ?? []), ...('const' in part ? [part['const']] : [])];
}

function isNoText(value: unknown): boolean {
  return typeof value !== 'string' || value === '';
}

function innerParts(part: Part): (readonly [Part, string])[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = part;
  const named = [...Object.entries(properties as Part), ['items', items], ['values', additionalProperties]];
  const chosen = [anyOf, oneOf, allOf].flatMap((list) => (list as unknown[]).map((one) => ['choice', one]));
  return [...named, ...chosen].flatMap(([where, inner]) =>
    typeof inner === 'object' && inner !== null ? [[inner as Part, String(where)] as const] : [],
  );
}

// Measured with o200k_base on the default list: 4.25 to 4.33 characters per token.
const CHARS_PER_TOKEN = 4.25;

/** Estimates the tokens that a tool list takes in a model's context. */
export function tokensOf(tools: readonly WireTool[]): number {
  return Math.ceil(JSON.stringify(tools).length / CHARS_PER_TOKEN);
}

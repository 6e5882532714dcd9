import type { Json, JsonObject } from './merge-data.ts';

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'type', 'enum']);

/** How many choices a schema has in all: a value may be checked against every one of them. */
export function schemaChoices(schema: JsonObject): number {
  let choices = 0;
  const left: (readonly [name: string, value: Json])[] = [['', schema]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    if (isList && CHOICES.has(name)) choices += value.length;
    for (const entry of Object.entries(value)) left.push(isList ? ['', entry[1]] : entry);
  }
  return choices;
}

/** How many values JSON holds, itself being one. */
export function valuesIn(json: Json): number {
  let values = 0;
  const left: Json[] = [json];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    values++;
    if (typeof next !== 'object' || next === null) continue;
    for (const value of Object.values(next)) left.push(value);
  }
  return values;
}

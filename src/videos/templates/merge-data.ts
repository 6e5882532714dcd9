import type { z } from 'zod';

export type Json = z.core.util.JSONType;
export type JsonObject = { [name: string]: Json };

/** Objects are put together name by name; everything else of the data stands in for what the defaults say. */
export function mergeData(defaults: JsonObject, data: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(defaults));
  for (const [name, value] of Object.entries(data)) {
    const fallback = merged.get(name);
    merged.set(name, isObject(fallback) && isObject(value) ? mergeData(fallback, value) : value);
  }
  return Object.fromEntries(merged);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

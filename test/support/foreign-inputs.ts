import fc from 'fast-check';
import { z } from 'zod';
import type { Tool } from '../../tools/contract/define.ts';
import { toJsonSchema } from '../../tools/contract/json-schema.ts';
import type { Bait, BaitKind, Baits } from './full-account.ts';

type Json = Record<string, unknown>;

const Fields = z.object({
  properties: z
    .record(z.string(), z.object({ type: z.unknown().optional(), enum: z.unknown().optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
});

/** What a field of this name names. */
const KINDS: Readonly<Record<string, BaitKind>> = {
  name: 'templates',
  template: 'templates',
  layout: 'templates',
  base_template: 'templates',
  templates: 'templates',
  q: 'templates',
  target: 'templates',
  branch: 'branches',
  into: 'branches',
  from: 'branches',
  to: 'branches',
  version: 'versions',
  expected_head: 'versions',
  fixture: 'fixtures',
  html: 'sources',
  text: 'sources',
  subject: 'sources',
  cursor: 'cursors',
  email: 'emails',
  actor: 'emails',
  confirm: 'names',
  brand_voice_id: 'voices',
  store_id: 'stores',
  sheet_id: 'sheets',
  config_id: 'configs',
  video_id: 'videos',
  job_id: 'jobs',
  key_id: 'keys',
  member_id: 'members',
  run_id: 'runs',
  generation_id: 'generations',
  webhook_id: 'webhooks',
  app_id: 'apps',
  asset_id: 'assets',
};

/** Inputs of a tool in which names and ids of another account stand where something is named, and elsewhere too. */
export function foreignInputs(tool: Tool, base: Json, baits: Baits): fc.Arbitrary<Json> {
  const { properties, required } = Fields.parse(toJsonSchema(tool.input, 'input'));
  const everything = Object.values(baits).flat();
  const anything = fc.constantFrom(...everything);
  const fields = Object.entries(properties).map(([field, schema]) => {
    const own = base[field];
    const kind = kindOf(tool, field);
    const fitting = kind ? fc.constantFrom(...baits[kind]) : anything;
    // Whether a text can be a cursor at all depends on its letters, and those of a twin are others.
    const odd = kind === 'cursors' ? fitting : anything;
    const foreign = fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: odd });
    return [
      field,
      fieldValue({ own, foreign, schema, isNeeded: required.includes(field), isSlow: tool.job === true }),
    ];
  });
  return fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>)
    .map((input) => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

function kindOf({ name }: Tool, field: string): BaitKind | undefined {
  if (name === 'run_sync' && field === 'confirm') return 'runs';
  if (/video/.test(name) && field === 'template') return 'films';
  return KINDS[field];
}

type Field = {
  readonly own: unknown;
  readonly foreign: fc.Arbitrary<Bait>;
  readonly schema: { readonly type?: unknown; readonly enum?: unknown };
  readonly isNeeded: boolean;
  /** Work on the caller's own things would take long, and shows nothing here. */
  readonly isSlow: boolean;
};

function fieldValue({ own, foreign, schema, isNeeded, isSlow }: Field): fc.Arbitrary<unknown> {
  const value = foreign.map(({ value }) => value);
  if (schema.type !== 'string' || schema.enum !== undefined) {
    return fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: within(own, value) });
  }
  if (isSlow && isNeeded) return value;
  if (isNeeded) return fc.oneof({ weight: 1, arbitrary: fc.constant(own) }, { weight: 2, arbitrary: value });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(own) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );
}

/** The same value with one foreign text for some of the texts in it. */
function within(own: unknown, foreign: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (typeof own === 'string') return fc.oneof(fc.constant(own), foreign);
  if (Array.isArray(own)) return fc.tuple(...own.map((one: unknown) => within(one, foreign)));
  if (typeof own !== 'object' || own === null) return fc.constant(own);
  return fc.record(
    Object.fromEntries(Object.entries(own).map(([name, one]) => [name, within(one, foreign)])),
  );
}

/** The same input with unknown names in place of the other account's. */
export function twinOf(input: Json, baits: Baits): Json {
  const twins = new Map(
    Object.values(baits)
      .flat()
      .map(({ value, twin }) => [value, twin]),
  );
  return JSON.parse(JSON.stringify(input), (_key, value: unknown) =>
    typeof value === 'string' ? (twins.get(value) ?? value) : value,
  );
}

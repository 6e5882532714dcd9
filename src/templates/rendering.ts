import { z } from 'zod';
import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Sql } from '../platform/database.ts';
import { brokenBound } from '../platform/json-size.ts';
import type { DocumentChange } from './document.ts';
import { prepareData } from './engine/data.ts';
import type { Engine } from './engine/engine.ts';
import { createFixtureStore } from './fixtures/store.ts';
import { createLookup } from './lookup.ts';
import type { Origin, Plan, Plans, VersionChoice } from './plans.ts';
import { type Data, LIMITS } from './schema.ts';

export const OnMissing = z.enum(['fallback', 'error', 'keep']);
export type OnMissing = z.output<typeof OnMissing>;

export type RenderInput = VersionChoice & {
  readonly template?: string | undefined;
  /** Unsaved content to render instead of a stored template. */
  readonly unsaved?: DocumentChange | undefined;
  readonly data?: Data | undefined;
  readonly fixture?: string | undefined;
  readonly locale?: string | undefined;
  readonly onMissing: OnMissing;
};

/** A finished mail, with what the data lacked and what it had too much. Sizes are bytes, times milliseconds. */
export type Rendered = Origin & {
  readonly html: string;
  readonly text?: string;
  readonly subject?: string;
  readonly preheader?: string;
  readonly missing_variables: readonly string[];
  readonly unused_variables: readonly string[];
  readonly defaulted_variables: readonly string[];
  readonly warnings: readonly Warning[];
  readonly bytes: number;
  readonly render_ms: number;
};

export type Rendering = ReturnType<typeof createRendering>;

/** Renders stored and unsaved templates. */
export function createRendering({ sql, engine, plans }: { sql: Sql; engine: Engine; plans: Plans }) {
  const fixtures = createFixtureStore(sql);
  const lookup = createLookup(sql);

  /** What there is to fill. @throws Fault validation_failed, not_found, and what preparing unsaved content throws */
  async function plan(accountId: string, input: RenderInput): Promise<Plan> {
    if ((input.template === undefined) === (input.unsaved === undefined))
      throw new Fault('validation_failed.source');
    if (input.unsaved === undefined) return plans.stored(accountId, input.template ?? '', input);
    if (input.version ?? input.environment ?? input.branch) throw new Fault('validation_failed.selectors');
    return plans.unsaved(accountId, input.unsaved);
  }

  async function dataOf(accountId: string, { template, fixture, data }: RenderInput): Promise<Data> {
    if (fixture === undefined) return data ?? {};
    if (data !== undefined || template === undefined) throw new Fault('validation_failed.data');
    const row = await lookup.template(accountId, template);
    const found = await fixtures.find(accountId, row.id, fixture);
    if (!found) throw new Fault('not_found.fixture', { template, fixture });
    return found.data;
  }

  /** Fills a plan. @throws Fault render_limit, missing_variables */
  function fill(
    plan: Plan,
    data: Data,
    options: { locale?: string | undefined; onMissing: OnMissing },
  ): Rendered {
    const start = performance.now();
    demandModest(data);
    const { composition, variables, origin } = plan;
    const prepared = prepareData(variables, data, options.onMissing);
    if (options.onMissing === 'error' && prepared.missing.length > 0) {
      const names = prepared.missing.slice(0, 20).join(', ');
      throw new Fault(
        'missing_variables.render',
        { names },
        { data: { missing_variables: prepared.missing } },
      );
    }
    const { program, layout, partials } = composition;
    const output = engine.render(program, prepared.data, { partials, layout, locale: options.locale });
    return {
      ...origin,
      html: output.html,
      ...(output.text !== null && { text: output.text }),
      ...(output.subject !== null && { subject: output.subject }),
      ...(output.preheader !== null && { preheader: output.preheader }),
      missing_variables: prepared.missing,
      unused_variables: prepared.unused,
      defaulted_variables: prepared.defaulted,
      warnings: [...plan.warnings, ...prepared.warnings, ...output.warnings],
      bytes: Buffer.byteLength(output.html),
      render_ms: Math.round((performance.now() - start) * 1000) / 1000,
    };
  }

  return {
    plan,
    fill,

    async render(accountId: string, input: RenderInput): Promise<Rendered> {
      const found = await plan(accountId, input);
      return fill(found, await dataOf(accountId, input), input);
    },
  };
}

function demandModest(data: Data): void {
  const broken = brokenBound(data, LIMITS.data);
  if (broken === 'chars') throw new Fault('too_large.data', { limit: LIMITS.data.chars });
  if (broken === 'levels') throw new Fault('validation_failed.levels', { limit: LIMITS.data.levels });
}

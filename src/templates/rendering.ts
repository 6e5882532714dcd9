import { z } from 'zod';
import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Sql } from '../platform/database/database.ts';
import type { QueueCaller } from '../platform/fair-queue.ts';
import { brokenBound } from '../platform/json-size.ts';
import type { DocumentChange } from './document.ts';
import { prepareData } from './engine/data.ts';
import type { Engine } from './engine/engine.ts';
import type { Finisher, FinishOptions } from './finish/finisher.ts';
import { createFixtureStore } from './fixtures/store.ts';
import { createLookup, type VersionChoice } from './lookup.ts';
import type { Origin, Plan, Plans } from './plans.ts';
import { type Data, LIMITS } from './schema.ts';

export const OnMissing = z.enum(['fallback', 'error', 'keep']);
export type OnMissing = z.output<typeof OnMissing>;

/** What is done to a mail once it is filled. */
export type Finish = FinishOptions & {
  /** Make a plain text from the html where the template has none of its own. */
  readonly plainText?: boolean | undefined;
};

export type RenderInput = VersionChoice &
  Finish & {
    readonly template?: string | undefined;
    /** Unsaved content to render instead of a stored template. */
    readonly unsaved?: DocumentChange | undefined;
    readonly data?: Data | undefined;
    readonly fixture?: string | undefined;
    readonly locale?: string | undefined;
    readonly onMissing: OnMissing;
    /** Aborted when nobody waits for the mail any more. */
    readonly signal?: AbortSignal | undefined;
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

type RenderingParts = {
  readonly sql: Sql;
  readonly engine: Engine;
  readonly plans: Plans;
  readonly finisher: Finisher;
};

export type Rendering = ReturnType<typeof createRendering>;

/** Renders stored and unsaved templates. */
export function createRendering({ sql, engine, plans, finisher }: RenderingParts) {
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
      render_ms: milliseconds(start),
    };
  }

  /** Does to a filled mail what is asked for; without a wish the mail is answered as it is. @throws Fault render_limit, unavailable */
  async function finish(
    rendered: Rendered,
    { inlineCss, minify, plainText }: Finish,
    asker: QueueCaller,
  ): Promise<Rendered> {
    const needsText = plainText === true && rendered.text === undefined;
    if (!inlineCss && !minify && !needsText) return rendered;
    const start = performance.now();
    const [html, text] = await Promise.all([
      finisher.finish(rendered.html, { inlineCss, minify }, asker),
      needsText ? finisher.plainText(rendered.html, asker) : rendered.text,
    ]);
    return {
      ...rendered,
      html,
      ...(text !== undefined && { text }),
      bytes: Buffer.byteLength(html),
      render_ms: milliseconds(start - rendered.render_ms),
    };
  }

  return {
    plan,
    fill,
    finish,

    async render(accountId: string, input: RenderInput): Promise<Rendered> {
      const found = await plan(accountId, input);
      const { signal } = input;
      return finish(fill(found, await dataOf(accountId, input), input), input, { accountId, signal });
    },
  };
}

function milliseconds(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}

function demandModest(data: Data): void {
  const broken = brokenBound(data, LIMITS.data);
  if (broken === 'chars') throw new Fault('too_large.data', { limit: LIMITS.data.chars });
  if (broken === 'levels') throw new Fault('validation_failed.levels', { limit: LIMITS.data.levels });
}

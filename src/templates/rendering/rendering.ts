import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { findAssetReferences, replaceAssetReferences } from '../../platform/asset-reference.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { brokenBound } from '../../platform/json-size.ts';
import type { Engine } from '../engine/engine.ts';
import { BRAND } from '../engine/paths.ts';
import { type Mismatch, prepareData } from '../engine/render/data.ts';
import type { Finisher, FinishOptions } from '../finish/finish.ts';
import type { OnMissing } from '../output-choices.ts';
import { selectFixture } from '../repository/fixture-repo.ts';
import { findTemplate, type VersionChoice } from '../resolve/find-version.ts';
import type { Origin, ResolvedTemplate, Resolver } from '../resolve/resolve.ts';
import { type Data, LIMITS } from '../schema.ts';
import type { DocumentChange } from '../versions/document.ts';
import { sampleData, textsIn } from './sample-data.ts';

/** How a rendered email is finished. */
export type Finish = FinishOptions & {
  /** Derive a plain text from the HTML when the template has none. */
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
    /** A brand of the account; the default one when absent. */
    readonly brand?: string | undefined;
    readonly onMissing: OnMissing;
    /** Aborted when the caller has left. */
    readonly signal?: AbortSignal | undefined;
  };

/** A rendered email, with the missing and the unused variables. Sizes are bytes, times milliseconds. */
export type Rendered = Origin & {
  readonly html: string;
  readonly text: string | null;
  readonly subject: string | null;
  readonly preheader: string | null;
  readonly missing_variables: readonly string[];
  readonly unused_variables: readonly string[];
  readonly defaulted_variables: readonly string[];
  readonly type_mismatches: readonly Mismatch[];
  readonly warnings: readonly Warning[];
  readonly bytes: number;
  readonly render_ms: number;
};

type Shown = {
  readonly rendered: Rendered;
  readonly samples: readonly string[];
  /** Bytes of the assets it shows, by address. */
  readonly weights: Readonly<Record<string, number>>;
};

/** The fixture a template is shown with. */
export const SAMPLE_FIXTURE = 'sample';

/** The public addresses of an account's assets by what refers to them; undefined for what it does not have. */
type AssetAddresses = (
  accountId: string,
  references: readonly string[],
) => Promise<ReadonlyMap<string, { readonly url: string; readonly bytes: number } | undefined>>;

type RenderingDeps = {
  readonly sql: Sql;
  readonly engine: Engine;
  readonly resolver: Resolver;
  readonly finisher: Finisher;
  readonly assetAddresses: AssetAddresses;
};

export type Rendering = ReturnType<typeof createRendering>;

/**
 * Renders stored and unsaved templates.
 *
 * In: a template or unsaved content, and data. Out: HTML, text, subject and preheader, with missing and unused
 * variables. Invariant: rendering changes nothing that is stored.
 */
export function createRendering({ sql, engine, resolver, finisher, assetAddresses }: RenderingDeps) {
  /** Resolves what to render. @throws Fault validation_failed, not_found, and what preparing unsaved content throws */
  async function resolve(accountId: string, input: RenderInput): Promise<ResolvedTemplate> {
    const resolved = await resolveContent(accountId, input);
    return input.brand === undefined ? resolved : resolver.withBrand(accountId, resolved, input.brand);
  }

  async function resolveContent(accountId: string, input: RenderInput): Promise<ResolvedTemplate> {
    if ((input.template === undefined) === (input.unsaved === undefined))
      throw new Fault('validation_failed.source');
    if (input.unsaved === undefined) return resolver.resolve(accountId, input.template ?? '', input);
    if (input.version ?? input.environment ?? input.branch) throw new Fault('validation_failed.selectors');
    return resolver.resolveUnsaved(accountId, input.unsaved);
  }

  async function dataOf(accountId: string, { template, fixture, data }: RenderInput): Promise<Data> {
    if (fixture === undefined) return data ?? {};
    if (data !== undefined || template === undefined) throw new Fault('validation_failed.data');
    const found = await fixtureOf(accountId, template, fixture);
    if (!found) throw new Fault('not_found.fixture', { template, fixture });
    return found;
  }

  async function fixtureOf(accountId: string, template: string, fixture: string): Promise<Data | undefined> {
    const { id } = await findTemplate(sql, accountId, template);
    return (await selectFixture(sql, accountId, id, fixture))?.data;
  }

  /** What a template is shown with without data: its fixture named `sample`, else values made up from its variables. */
  async function sampleOf(accountId: string, template: string | undefined, { variables }: ResolvedTemplate) {
    const fixture = template === undefined ? undefined : await fixtureOf(accountId, template, SAMPLE_FIXTURE);
    if (fixture) return { data: fixture, made: false, warning: { key: 'sample_fixture' } } as const;
    const data = sampleData(variables);
    if (Object.keys(data).length === 0) return { data, made: true } as const;
    return { data, made: true, warning: { key: 'sample_made' } } as const;
  }

  /** Fills a resolved template with data. @throws Fault render_limit, missing_variables, type_mismatch */
  function fill(
    resolved: ResolvedTemplate,
    data: Data,
    options: { locale?: string | undefined; onMissing: OnMissing },
  ): Rendered {
    const start = performance.now();
    assertDataSize(data);
    const { composition, origin } = resolved;
    const prepared = prepare(resolved, data, options.onMissing);
    if (options.onMissing === 'error') requireFitting(prepared);
    const { program, layout, partials } = composition;
    const { brand } = prepared;
    const output = engine.render(program, prepared.data, { partials, layout, brand, locale: options.locale });
    const html = withFontFaces(output.html, resolved.brand.values);
    return {
      ...origin,
      html,
      text: output.text,
      subject: output.subject,
      preheader: output.preheader,
      missing_variables: prepared.missing,
      unused_variables: prepared.unused,
      defaulted_variables: prepared.defaulted,
      type_mismatches: prepared.mismatches,
      warnings: [...resolved.warnings, ...prepared.warnings, ...output.warnings],
      bytes: Buffer.byteLength(html),
      render_ms: milliseconds(start),
    };
  }

  /** References to assets become their public addresses; those that name nothing stay, with a warning each. */
  async function withAssets(
    rendered: Rendered,
    { accountId }: QueueCaller,
    weights: Record<string, number> = {},
  ): Promise<Rendered> {
    const references = findAssetReferences(rendered.html);
    if (references.length === 0 || accountId === undefined) return rendered;
    const addresses = await assetAddresses(accountId, references);
    const missing = references.filter((reference) => addresses.get(reference) === undefined);
    const html = replaceAssetReferences(rendered.html, (reference) => addresses.get(reference)?.url);
    for (const asset of references.map((reference) => addresses.get(reference)))
      if (asset) weights[asset.url] = asset.bytes;
    const warnings = missing.slice(0, NAMED).map((reference): Warning => {
      return { key: 'asset_missing', params: { reference: reference.slice(0, 200) } };
    });
    return {
      ...rendered,
      html,
      bytes: Buffer.byteLength(html),
      warnings: [...rendered.warnings, ...warnings],
    };
  }

  /** Inlines CSS, minifies and derives the plain text, as requested. @throws Fault render_limit, unavailable */
  async function finish(
    filled: Rendered,
    { inlineCss, minify, plainText }: Finish,
    asker: QueueCaller,
    weights?: Record<string, number>,
  ): Promise<Rendered> {
    const rendered = await withAssets(filled, asker, weights);
    const needsText = plainText === true && rendered.text === null;
    if (!inlineCss && !minify && !needsText) return rendered;
    const start = performance.now();
    const [html, text] = await Promise.all([
      finisher.finish(rendered.html, { inlineCss, minify }, asker),
      needsText ? finisher.plainText(rendered.html, asker) : rendered.text,
    ]);
    return {
      ...rendered,
      html,
      text,
      bytes: Buffer.byteLength(html),
      render_ms: milliseconds(start - rendered.render_ms),
    };
  }

  return {
    resolve,
    fill,
    finish,

    async render(accountId: string, input: RenderInput): Promise<Rendered> {
      const resolved = await resolve(accountId, input);
      const { signal } = input;
      return finish(fill(resolved, await dataOf(accountId, input), input), input, { accountId, signal });
    },

    /** HTML that is printed beside an email, such as the footer of its pages, filled with the same data. */
    async fillAside(accountId: string, input: RenderInput, html: string): Promise<Rendered> {
      const resolved = await resolve(accountId, { ...input, ...ASIDE, unsaved: { html } });
      return withAssets(fill(resolved, await dataOf(accountId, input), input), { accountId });
    },

    /**
     * Renders for somebody who wants to see the template: without data and fixture, with sample data, which a warning says.
     * `samples` are the texts that were made up.
     */
    async show(accountId: string, input: RenderInput): Promise<Shown> {
      const resolved = await resolve(accountId, input);
      const asker = { accountId, signal: input.signal };
      const weights: Record<string, number> = {};
      if (input.data ?? input.fixture) {
        const filled = fill(resolved, await dataOf(accountId, input), input);
        return { rendered: await finish(filled, input, asker, weights), samples: [], weights };
      }
      const { data, made, warning } = await sampleOf(accountId, input.template, resolved);
      const filled = fill(resolved, data, input);
      const warnings = warning ? [warning, ...filled.warnings] : filled.warnings;
      return {
        rendered: await finish({ ...filled, warnings }, input, asker, weights),
        samples: made ? textsIn(data) : [],
        weights,
      };
    },
  };
}

/** Loads the brand's fonts that are files where the email uses one. */
function withFontFaces(html: string, { font_faces: faces }: ResolvedTemplate['brand']['values']): string {
  if (typeof faces !== 'string' || !/brand-(?:heading|body)/.test(html)) return html;
  const head = html.search(/<\/head/i);
  return `${html.slice(0, Math.max(head, 0))}<style>${faces}</style>\n${html.slice(Math.max(head, 0))}`;
}

/** The data and the brand as they are printed. What the brand lacks is missing like what the data lacks. */
function prepare({ variables, brand }: ResolvedTemplate, data: Data, onMissing: OnMissing) {
  const prepared = prepareData(variables, data, onMissing);
  if (brand.reads.length === 0) return { ...prepared, brand: undefined };
  const branded = prepareData(brand.reads, { [BRAND]: brand.values }, onMissing);
  return {
    ...prepared,
    brand: branded.data[BRAND],
    missing: [...prepared.missing, ...branded.missing],
    mismatches: [...prepared.mismatches, ...branded.mismatches],
    warnings: [...prepared.warnings, ...branded.warnings],
  };
}

/** @throws Fault missing_variables, type_mismatch */
function requireFitting({ missing, mismatches }: ReturnType<typeof prepare>): void {
  const data = { missing_variables: missing, type_mismatches: mismatches };
  const names = (all: readonly string[]) => all.slice(0, NAMED).join(', ');
  if (missing.length > 0) throw new Fault('missing_variables.render', { names: names(missing) }, { data });
  if (mismatches.length === 0) return;
  const said = mismatches.map(({ name, expected, got }) => `${name} (${got}, not ${expected})`);
  throw new Fault('type_mismatch.render', { names: names(said) }, { data });
}

/** What chooses the email itself. */
const ASIDE = { template: undefined, version: undefined, environment: undefined, branch: undefined };

/** How many variables a message names. */
const NAMED = 20;

function milliseconds(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}

function assertDataSize(data: Data): void {
  const broken = brokenBound(data, LIMITS.data);
  if (broken === 'chars') throw new Fault('too_large.data', { limit: LIMITS.data.chars });
  if (broken === 'levels') throw new Fault('validation_failed.levels', { limit: LIMITS.data.levels });
}

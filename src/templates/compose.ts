import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { hashDocument } from './document.ts';
import type { Engine, Program } from './engine/engine.ts';
import type { Finisher } from './finish/finisher.ts';
import { prepareMjml } from './finish/mjml/prepare-mjml.ts';
import { type Parts, type PartVersion, storedParts } from './parts.ts';
import type { Document, EnvironmentName, TemplateKind } from './schema.ts';
import type { TemplateRow, Use } from './store.ts';

/** Everything one render needs, compiled: the content, its layout, and all partials reached from either. */
export type Composition = {
  readonly program: Program;
  readonly layout: Program | undefined;
  readonly partials: ReadonlyMap<string, Program>;
  /** What the content itself uses, with the versions found. */
  readonly uses: readonly Use[];
};

/** Which version of a layout or partial to take. Pins are those of the version that uses it. */
export type Resolution =
  | { readonly by: 'main' }
  | { readonly by: 'pins' }
  | { readonly by: 'environment'; readonly environment: EnvironmentName };

export type Composer = ReturnType<typeof createComposer>;

type ComposerParts = { readonly sql: Sql; readonly engine: Engine; readonly finisher: Finisher };
type Prepare = (accountId: string, kind: TemplateKind, document: Document) => Promise<Program>;
type Part = { readonly name: string; readonly version: PartVersion; readonly program: Program };
type Wanted = { readonly kind: Use['kind']; readonly name: string; readonly pins: readonly Use[] };

const PARTS_LIMIT = 64;

/** Brings a content together with the layout and partials it names. Compiled contents are kept by their hash. */
export function createComposer({ sql, engine, finisher }: ComposerParts) {
  const programs = new LRUCache<string, Promise<Program>>({ max: 5000 });

  /** Compiles a content, once for each process however many versions and callers share it: so it does not end with one of them. */
  function prepare(accountId: string, kind: TemplateKind, document: Document): Promise<Program> {
    const key = `${kind}:${hashDocument(document)}`;
    const kept = programs.get(key);
    if (kept) return kept;
    const { layout, format, ...fields } = document;
    const source = { kind, ...fields, inLayout: layout !== undefined };
    const program =
      format === 'mjml'
        ? prepareMjml({ engine, finisher }, source, { accountId })
        : engine.prepare(source, { accountId });
    programs.set(key, program);
    // A content that failed is compiled again when it is sent again: the fault may have been a lack of time.
    program.catch(() => programs.delete(key));
    return program;
  }

  return {
    prepare,
    compose: composing(storedParts(sql), prepare),
    /** The same over other parts than those stored, such as ones that are about to be. */
    over: (parts: Parts) => composing(parts, prepare),
  };
}

function composing(parts: Parts, prepare: Prepare) {
  async function compose(
    accountId: string,
    kind: TemplateKind,
    document: Document,
    resolution: Resolution,
    pins: readonly Use[] = [],
  ): Promise<Composition> {
    const program = await prepare(accountId, kind, document);
    const layout = document.layout === undefined ? undefined : await named(document.layout, 'layout', pins);
    const partials = new Map<string, Program>();
    if (layout) await addPartials(layout.program, layout.version.uses);
    const used = await addPartials(program, pins);
    const uses = layout ? [use(layout, 'layout'), ...used] : used;
    return { program, layout: layout?.program, partials, uses };

    function named(name: string, wantedKind: Use['kind'], from: readonly Use[]) {
      return load(accountId, { kind: wantedKind, name, pins: from }, resolution);
    }

    // A partial block brings what stands in when there is no such partial.
    async function present(names: readonly string[]): Promise<string[]> {
      const rows = await Promise.all(names.map((name) => parts.find(accountId, name)));
      return rows.flatMap((row) => (row?.kind === 'partial' ? [row.name] : []));
    }

    /** Adds what `user` needs and what that needs; answers what `user` itself uses. */
    async function addPartials(user: Program, from: readonly Use[]): Promise<Use[]> {
      const found: Use[] = [];
      for (const name of [...user.partials, ...(await present(user.optionalPartials))]) {
        const part = await named(name, 'partial', from);
        found.push(use(part, 'partial'));
        if (partials.has(name)) continue;
        if (partials.size >= PARTS_LIMIT)
          throw new Fault('template_too_complex.partials', { limit: PARTS_LIMIT });
        partials.set(name, part.program);
        await addPartials(part.program, part.version.uses);
      }
      return found;
    }
  }

  async function load(accountId: string, wanted: Wanted, resolution: Resolution): Promise<Part> {
    const { kind, name, pins } = wanted;
    const row = await parts.find(accountId, name);
    const version =
      row?.kind === kind
        ? await choose(accountId, row, resolution, pins)
        : await lost(accountId, wanted, resolution);
    const document = await parts.content(accountId, version);
    return { name, version, program: await prepare(accountId, kind, document) };
  }

  /** A part deleted since goes on living in the versions saved with it, so that what was shown can be shown again. */
  async function lost(
    accountId: string,
    { kind, name, pins }: Wanted,
    resolution: Resolution,
  ): Promise<PartVersion> {
    const pin =
      resolution.by !== 'main' &&
      pins.find((candidate) => candidate.name === name && candidate.kind === kind);
    if (!pin) throw new Fault('template_invalid.missing_part', { kind, name });
    return parts.byId(accountId, pin.version_id);
  }

  async function choose(
    accountId: string,
    row: Pick<TemplateRow, 'id' | 'name'>,
    resolution: Resolution,
    pins: readonly Use[],
  ) {
    const pin = resolution.by === 'pins' && pins.find((candidate) => candidate.name === row.name);
    if (pin) return parts.byId(accountId, pin.version_id);
    const shown =
      resolution.by === 'environment' && (await parts.shown(accountId, row, resolution.environment));
    return shown || parts.head(accountId, row);
  }

  return compose;
}

function use({ name, version }: Part, kind: Use['kind']): Use {
  return { kind, name, version_id: version.id };
}

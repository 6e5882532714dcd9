import { LRUCache } from 'lru-cache';
import type { Warning } from '../../language.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Engine, Variable } from '../engine/engine.ts';
import type { JsonObject } from '../engine/variable.ts';
import type { PartChoice } from '../repository/version-repo.ts';
import { DEFAULT_BRANCH, type EnvironmentName } from '../schema.ts';
import { changeDocument, type DocumentChange } from '../versions/document.ts';
import type { Composer, Composition } from './compose.ts';
import { type FoundContent, findContent, findDefaultContent, type VersionChoice } from './find-version.ts';

/** Where a content was found. */
export type Origin = {
  readonly template?: string;
  readonly version?: string;
  readonly environment?: EnvironmentName;
  readonly branch?: string;
};

/** What a template reads of the account's brand, and what there is to read. */
type BrandUse = { readonly reads: readonly Variable[]; readonly values: JsonObject };

/** The brands of an account, as templates print them. */
export type BrandSource = {
  /** The brand of that name, or the default one. @throws Fault not_found.brand */
  of(accountId: string, name?: string): Promise<JsonObject>;
  /** A brand as it is stored; an empty one for null. */
  present(stored: unknown): JsonObject;
};

/** A template ready to render; never changes once made. */
export type ResolvedTemplate = {
  readonly composition: Composition;
  readonly variables: readonly Variable[];
  readonly brand: BrandUse;
  readonly origin: Origin;
  readonly warnings: readonly Warning[];
};

type Selection = FoundContent & {
  readonly parts: PartChoice;
  readonly warnings: readonly Warning[];
  readonly environment?: EnvironmentName;
  readonly branch?: string;
};

export type Resolver = ReturnType<typeof createResolver>;

type ResolverDeps = {
  readonly sql: Sql;
  readonly engine: Engine;
  readonly composer: Composer;
  readonly brands: BrandSource;
};

/**
 * Resolves a template name and a version choice: finds the version (`find-version.ts`), then its layout and partials,
 * and compiles them (`compose.ts`). One statement finds the version with its content, one more the parts of each level.
 * The result is cached per account until `forget`, which every change to the account's templates or brand calls on every node;
 * a cached template costs no statement. What was resolved before a change is never returned after it.
 * In: a name with a version, environment or branch. Out: a compiled template with its parts and brand. Invariant: a
 * template resolves to contents of its own account alone.
 */
export function createResolver({ sql, engine, composer, brands }: ResolverDeps) {
  const resolved = new LRUCache<string, Promise<ResolvedTemplate>>({ max: 5000 });
  // Part of every key, so that what started to resolve before a change is not found after it.
  const epochs = new Map<string, number>();

  function resolve(accountId: string, name: string, choice: VersionChoice): Promise<ResolvedTemplate> {
    const chosen = [choice.version, choice.environment, choice.branch];
    const key = JSON.stringify([accountId, epochs.get(accountId) ?? 0, name, ...chosen]);
    const cached = resolved.get(key);
    if (cached) return cached;
    const resolving = resolveStored(accountId, name, choice);
    resolved.set(key, resolving);
    resolving.catch(() => resolved.delete(key));
    return resolving;
  }

  async function resolveStored(accountId: string, name: string, choice: VersionChoice) {
    const chosen = await select(accountId, name, choice);
    const { template, version, document, brand, parts, warnings, ...place } = chosen;
    const composition = await composer.compose(accountId, template.kind, document, parts, version.uses);
    const origin = { template: template.name, version: version.label, ...place };
    const reads = engine.brandOf(composition);
    const values = reads.length > 0 ? brands.present(brand) : {};
    const variables = engine.variablesOf(composition);
    return { composition, variables, brand: { reads, values }, origin, warnings };
  }

  /** The version chosen; without a choice the one production is on, or else the head of main. */
  async function select(accountId: string, name: string, choice: VersionChoice): Promise<Selection> {
    const { version, environment, branch } = choice;
    if (version === undefined && environment === undefined && branch === undefined)
      return selectDefault(accountId, name);
    const found = await findContent(sql, accountId, name, choice);
    if (environment !== undefined)
      return { ...found, environment, parts: { by: 'environment', environment }, warnings: [] };
    if (branch !== undefined) return { ...found, branch, parts: { by: 'main' }, warnings: [] };
    return { ...found, parts: { by: 'pins' }, warnings: [] };
  }

  async function selectDefault(accountId: string, name: string): Promise<Selection> {
    const environment = 'production';
    const parts: PartChoice = { by: 'environment', environment };
    const { inProduction, ...found } = await findDefaultContent(sql, accountId, name);
    if (inProduction) return { ...found, environment, parts, warnings: [] };
    return { ...found, branch: DEFAULT_BRANCH, parts, warnings: [{ key: 'not_promoted' }] };
  }

  /** A content that is not stored, with the parts on main. */
  async function resolveUnsaved(accountId: string, change: DocumentChange): Promise<ResolvedTemplate> {
    const document = changeDocument(undefined, change);
    const composition = await composer.compose(accountId, 'template', document, { by: 'main' });
    return unstored(accountId, composition);
  }

  /** A composition ready to render that no version has. */
  async function unstored(accountId: string, composition: Composition): Promise<ResolvedTemplate> {
    const reads = engine.brandOf(composition);
    const values = reads.length > 0 ? await brands.of(accountId) : {};
    const variables = engine.variablesOf(composition);
    return { composition, variables, brand: { reads, values }, origin: {}, warnings: [] };
  }

  return {
    resolve,
    resolveUnsaved,
    unstored,

    /** The same with another brand of the account than the default one. @throws Fault not_found.brand */
    async withBrand(accountId: string, resolved: ResolvedTemplate, name: string): Promise<ResolvedTemplate> {
      const values = await brands.of(accountId, name);
      return { ...resolved, brand: { ...resolved.brand, values } };
    },

    /** Drops what is cached of an account; called at each change, on every node. */
    forget(accountId: string): void {
      epochs.set(accountId, (epochs.get(accountId) ?? 0) + 1);
    },

    /** Drops everything, for when changes may have been missed. */
    forgetAll: () => resolved.clear(),
  };
}

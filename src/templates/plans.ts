import { LRUCache } from 'lru-cache';
import type { Warning } from '../language.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Composer, Composition, Resolution } from './compose.ts';
import { changeDocument, type DocumentChange } from './document.ts';
import type { Engine, Variable } from './engine/engine.ts';
import { createLookup, type VersionChoice } from './lookup.ts';
import { DEFAULT_BRANCH, type EnvironmentName } from './schema.ts';
import { createTemplateStore, type TemplateRow, type VersionRow } from './store.ts';

/** Where a content was found. */
export type Origin = {
  readonly template?: string;
  readonly version?: string;
  readonly environment?: EnvironmentName;
  readonly branch?: string;
};

/** A composition with what its answers say of it; never changes once made. */
export type Plan = {
  readonly composition: Composition;
  readonly variables: readonly Variable[];
  readonly origin: Origin;
  readonly warnings: readonly Warning[];
};

type Selection = {
  readonly version: VersionRow;
  readonly resolution: Resolution;
  readonly warnings: readonly Warning[];
  readonly environment?: EnvironmentName;
  readonly branch?: string;
};

export type Plans = ReturnType<typeof createPlans>;

/**
 * What a name and a choice lead to. It is kept per account until something the account's templates show changes, so
 * finding it again asks the database nothing.
 */
export function createPlans({ sql, engine, composer }: { sql: Sql; engine: Engine; composer: Composer }) {
  const store = createTemplateStore(sql);
  const lookup = createLookup(sql);
  const plans = new LRUCache<string, Promise<Plan>>({ max: 5000 });
  // Part of every key, so that a plan whose making began before a change is never found after it.
  const epochs = new Map<string, number>();

  function stored(accountId: string, name: string, choice: VersionChoice): Promise<Plan> {
    const selected = [choice.version, choice.environment, choice.branch];
    const key = JSON.stringify([accountId, epochs.get(accountId) ?? 0, name, ...selected]);
    const kept = plans.get(key);
    if (kept) return kept;
    const plan = makePlan(accountId, name, choice);
    plans.set(key, plan);
    plan.catch(() => plans.delete(key));
    return plan;
  }

  async function makePlan(accountId: string, name: string, choice: VersionChoice): Promise<Plan> {
    const row = await lookup.template(accountId, name);
    const { version, resolution, warnings, ...shown } = await select(accountId, row, choice);
    const document = await store.content(accountId, version.content);
    const composition = await composer.compose(accountId, row.kind, document, resolution, version.uses);
    const origin = { template: row.name, version: version.label, ...shown };
    return { composition, variables: engine.variablesOf(composition), origin, warnings };
  }

  /** The version chosen; without a choice the one production shows, or else the head of main. */
  async function select(accountId: string, row: TemplateRow, choice: VersionChoice): Promise<Selection> {
    const version = await lookup.chosen(accountId, row, choice);
    if (!version) return selectDefault(accountId, row);
    const { environment, branch } = choice;
    if (environment !== undefined)
      return { version, environment, resolution: { by: 'environment', environment }, warnings: [] };
    if (branch !== undefined) return { version, branch, resolution: { by: 'main' }, warnings: [] };
    return { version, resolution: { by: 'pins' }, warnings: [] };
  }

  async function selectDefault(accountId: string, row: TemplateRow): Promise<Selection> {
    const environment = 'production';
    const resolution: Resolution = { by: 'environment', environment };
    const version = await lookup.shown(accountId, row, environment);
    if (version) return { version, environment, resolution, warnings: [] };
    const head = await lookup.head(accountId, row);
    return { version: head, branch: DEFAULT_BRANCH, resolution, warnings: [{ key: 'not_promoted' }] };
  }

  async function unsaved(accountId: string, change: DocumentChange): Promise<Plan> {
    const composition = await composer.compose(accountId, 'template', changeDocument(undefined, change), {
      by: 'main',
    });
    return { composition, variables: engine.variablesOf(composition), origin: {}, warnings: [] };
  }

  return {
    stored,
    unsaved,

    /** Forgets what an account's templates showed; called at each change, on every node. */
    forget(accountId: string): void {
      epochs.set(accountId, (epochs.get(accountId) ?? 0) + 1);
    },

    /** Forgets everything, for when changes may have been missed. */
    forgetAll: () => plans.clear(),
  };
}

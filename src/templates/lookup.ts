import { Fault } from '../errors.ts';
import { closest } from '../platform/closest.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { createEnvironmentStore } from './environments/store.ts';
import { formatLabel, parseLabel } from './label.ts';
import { DEFAULT_BRANCH, EnvironmentName } from './schema.ts';
import { type BranchRow, createTemplateStore, type TemplateRow, type VersionRow } from './store.ts';

/** Which version to take: at most one of them. */
export type VersionChoice = {
  readonly version?: string | undefined;
  readonly environment?: EnvironmentName | undefined;
  readonly branch?: string | undefined;
};

type Named = Pick<TemplateRow, 'id' | 'name'>;

/** Finds what callers name, or says what there is instead. All functions throw Fault not_found. */
export function createLookup(sql: Sql | Tx) {
  const store = createTemplateStore(sql);
  const environments = createEnvironmentStore(sql);

  async function template(accountId: string, name: string): Promise<TemplateRow> {
    return (await store.findTemplate(accountId, name)) ?? (await noTemplate(accountId, name));
  }

  /** Finds a template and holds its other writers until the transaction ends. */
  async function lock(accountId: string, name: string): Promise<TemplateRow> {
    return (await store.lockTemplate(accountId, name)) ?? (await noTemplate(accountId, name));
  }

  async function noTemplate(accountId: string, name: string): Promise<never> {
    const suggestion = closest(name, await store.templateNames(accountId));
    if (suggestion) throw new Fault('not_found.template_close', { name, suggestion });
    throw new Fault('not_found.template', { name });
  }

  async function branch(accountId: string, { id, name }: Named, wanted: string): Promise<BranchRow> {
    const found = await store.branch(accountId, id, wanted);
    if (!found) throw new Fault('not_found.branch', { template: name, branch: wanted });
    return found;
  }

  async function head(accountId: string, row: Named, wanted = DEFAULT_BRANCH): Promise<VersionRow> {
    return byId(accountId, (await branch(accountId, row, wanted)).head);
  }

  async function byId(accountId: string, id: string): Promise<VersionRow> {
    const found = await store.versionById(accountId, id);
    // Heads and pointers hold foreign keys, so this is a fault of ours.
    if (!found) throw new Error(`version ${id} is gone`);
    return found;
  }

  /** `v2.1`, `v2.1.0`, `v2.1.0-holiday.3`, `latest`, or the beginning of a content hash. */
  async function version(accountId: string, row: TemplateRow, wanted: string): Promise<VersionRow> {
    if (wanted === 'latest') return head(accountId, row);
    const label = parseLabel(wanted);
    const found = label
      ? await store.versionByLabel(accountId, row.id, formatLabel(label))
      : await byHash(accountId, row, wanted);
    if (!found) throw new Fault('not_found.version', { template: row.name, version: wanted });
    return found;
  }

  async function byHash(
    accountId: string,
    { id, name }: TemplateRow,
    wanted: string,
  ): Promise<VersionRow | undefined> {
    const prefix = wanted.replace(/^sha256:/, '');
    if (!/^[0-9a-f]{8,64}$/.test(prefix)) return undefined;
    const [found, other] = await store.versionsByHash(accountId, id, prefix);
    if (other) throw new Fault('not_found.version_ambiguous', { template: name, version: wanted });
    return found;
  }

  /** The version an environment shows; undefined when it shows none. */
  async function shown(
    accountId: string,
    row: Named,
    environment: EnvironmentName,
  ): Promise<VersionRow | undefined> {
    const pointers = await environments.pointers(accountId, [row.id]);
    const pointer = pointers.find((candidate) => candidate.environment === environment);
    return pointer && byId(accountId, pointer.version_id);
  }

  async function shownOrFault(
    accountId: string,
    row: TemplateRow,
    environment: EnvironmentName,
  ): Promise<VersionRow> {
    const found = await shown(accountId, row, environment);
    if (!found) throw new Fault('not_found.pointer', { template: row.name, environment });
    return found;
  }

  /** A version, an environment or a branch, in this order. */
  async function reference(accountId: string, row: TemplateRow, wanted: string): Promise<VersionRow> {
    const environment = EnvironmentName.safeParse(wanted);
    if (environment.success) return shownOrFault(accountId, row, environment.data);
    if (isVersionReference(wanted)) return version(accountId, row, wanted);
    return head(accountId, row, wanted);
  }

  /** Undefined when nothing is chosen. @throws Fault validation_failed.selectors */
  async function chosen(
    accountId: string,
    row: TemplateRow,
    choice: VersionChoice,
  ): Promise<VersionRow | undefined> {
    const { version: wanted, environment, branch: on } = choice;
    const given = [wanted, environment, on].filter((part) => part !== undefined);
    if (given.length > 1) throw new Fault('validation_failed.selectors');
    if (wanted !== undefined) return version(accountId, row, wanted);
    if (environment !== undefined) return shownOrFault(accountId, row, environment);
    return on === undefined ? undefined : head(accountId, row, on);
  }

  return { template, lock, branch, head, byId, version, shown, shownOrFault, reference, chosen };
}

/** True for a name that can only mean a version, so that no branch may bear it. */
export function isVersionReference(name: string): boolean {
  return name === 'latest' || parseLabel(name) !== undefined || /^(sha256:)?[0-9a-f]{8,64}$/.test(name);
}

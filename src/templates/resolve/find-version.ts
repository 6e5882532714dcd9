import { Fault } from '../../errors.ts';
import { closest } from '../../platform/closest.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { type BranchRow, selectBranch } from '../repository/branch-repo.ts';
import {
  selectTemplate,
  selectTemplateForUpdate,
  type TemplateRow,
  templateNames,
} from '../repository/template-repo.ts';
import {
  type SelectedVersion,
  selectVersion,
  type VersionRow,
  type VersionSelector,
  versionById,
  versionsByHash,
} from '../repository/version-repo.ts';
import { DEFAULT_BRANCH, type Document, EnvironmentName } from '../schema.ts';
import { formatLabel, parseLabel } from '../versions/label.ts';

/** Which version to take: at most one of them. */
export type VersionChoice = {
  readonly version?: string | undefined;
  readonly environment?: EnvironmentName | undefined;
  readonly branch?: string | undefined;
};

export type FoundVersion = { readonly template: TemplateRow; readonly version: VersionRow };
/** `brand` is the account's, as it is stored; null where it has none. */
export type FoundContent = FoundVersion & { readonly document: Document; readonly brand: unknown };

/** @throws Fault not_found, with the closest name there is */
export async function findTemplate(sql: Sql | Tx, accountId: string, name: string): Promise<TemplateRow> {
  return (await selectTemplate(sql, accountId, name)) ?? (await failTemplate(sql, accountId, name));
}

/** Finds a template and blocks its other writers until the transaction ends. @throws Fault not_found */
export async function lockTemplate(tx: Tx, accountId: string, name: string): Promise<TemplateRow> {
  return (await selectTemplateForUpdate(tx, accountId, name)) ?? (await failTemplate(tx, accountId, name));
}

/** @throws Fault not_found */
export async function findBranch(
  sql: Sql | Tx,
  accountId: string,
  { id, name }: Pick<TemplateRow, 'id' | 'name'>,
  branch: string,
): Promise<BranchRow> {
  const found = await selectBranch(sql, accountId, id, branch);
  if (!found) throw new Fault('not_found.branch', { template: name, branch });
  return found;
}

/** A template and the version chosen; without a choice the head of main. @throws Fault not_found, validation_failed.selectors */
export async function findVersion(
  sql: Sql | Tx,
  accountId: string,
  name: string,
  choice: VersionChoice = {},
): Promise<FoundVersion> {
  const { template, version } = await select(sql, accountId, name, choice, false);
  return { template, version };
}

/** The same with the content of the version. */
export async function findContent(
  sql: Sql | Tx,
  accountId: string,
  name: string,
  choice: VersionChoice = {},
): Promise<FoundContent> {
  const { template, version, document, brand } = await select(sql, accountId, name, choice, true);
  return { template, version, document: present(document), brand };
}

/** The version that production is on, or else the head of main. @throws Fault not_found */
export async function findDefaultContent(
  sql: Sql,
  accountId: string,
  name: string,
): Promise<FoundContent & { readonly inProduction: boolean }> {
  const found =
    (await selectVersion(sql, accountId, name, { by: 'default', value: '' }, true)) ??
    (await failTemplate(sql, accountId, name));
  const { template, version, document, brand, in_production } = found;
  return {
    template,
    version: present(version),
    document: present(document),
    brand,
    inProduction: in_production,
  };
}

/** The version an environment is on; undefined when it is on none. @throws Fault not_found for the template */
export async function findInEnvironment(
  sql: Sql | Tx,
  accountId: string,
  name: string,
  environment: EnvironmentName,
): Promise<{ template: TemplateRow; version: VersionRow | undefined }> {
  const found =
    (await selectVersion(sql, accountId, name, { by: 'environment', value: environment }, false)) ??
    (await failTemplate(sql, accountId, name));
  return { template: found.template, version: found.version ?? undefined };
}

/** A version that a branch, a pointer or a version refers to. */
export async function findById(sql: Sql | Tx, accountId: string, id: string): Promise<VersionRow> {
  return present(await versionById(sql, accountId, id));
}

/** What a reference means: an environment, a version or a branch, in this order. */
export function choiceOf(reference: string): VersionChoice {
  const environment = EnvironmentName.safeParse(reference);
  if (environment.success) return { environment: environment.data };
  return isVersionReference(reference) ? { version: reference } : { branch: reference };
}

const HASH = /^(?:sha256:)?([0-9a-f]{8,64})$/;

/** True for a name that can only mean a version, so that no branch may bear it. */
export function isVersionReference(name: string): boolean {
  return name === 'latest' || parseLabel(name) !== undefined || HASH.test(name);
}

async function select(
  sql: Sql | Tx,
  accountId: string,
  name: string,
  choice: VersionChoice,
  withContent: boolean,
): Promise<SelectedVersion & { version: VersionRow }> {
  const selector = selectorOf(choice);
  const found =
    (await selectVersion(sql, accountId, name, selector, withContent)) ??
    (await failTemplate(sql, accountId, name));
  const { version } = found;
  if (!version) return failVersion(sql, accountId, found.template, selector, choice);
  return { ...found, version };
}

/** A version is `v2.1`, `v2.1.0`, `v2.1.0-holiday.3`, `latest`, or the start of a content hash. */
function selectorOf({ version, environment, branch }: VersionChoice): VersionSelector {
  const given = [version, environment, branch].filter((part) => part !== undefined);
  if (given.length > 1) throw new Fault('validation_failed.selectors');
  if (environment !== undefined) return { by: 'environment', value: environment };
  if (version === undefined || version === 'latest') return { by: 'branch', value: branch ?? DEFAULT_BRANCH };
  const label = parseLabel(version);
  if (label) return { by: 'label', value: formatLabel(label) };
  const hash = HASH.exec(version)?.[1];
  return hash === undefined ? { by: 'nothing', value: '' } : { by: 'hash', value: hash };
}

async function failTemplate(sql: Sql | Tx, accountId: string, name: string): Promise<never> {
  const suggestion = closest(name, await templateNames(sql, accountId));
  if (suggestion) throw new Fault('not_found.template_close', { name, suggestion });
  throw new Fault('not_found.template', { name });
}

async function failVersion(
  sql: Sql | Tx,
  accountId: string,
  { id, name }: TemplateRow,
  { by, value }: VersionSelector,
  { version = '' }: VersionChoice,
): Promise<never> {
  if (by === 'branch') throw new Fault('not_found.branch', { template: name, branch: value });
  if (by === 'environment') throw new Fault('not_found.pointer', { template: name, environment: value });
  const isAmbiguous = by === 'hash' && (await versionsByHash(sql, accountId, id, value)).length > 1;
  throw new Fault(isAmbiguous ? 'not_found.version_ambiguous' : 'not_found.version', {
    template: name,
    version,
  });
}

/** Heads and pointers are foreign keys to versions, and versions to contents: a missing row is a bug. */
function present<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw new Error('a version or its content is missing');
  return row;
}

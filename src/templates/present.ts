import type { Sql, Tx } from '../platform/database/database.ts';
import {
  type EnvironmentRow,
  type PointerEventRow,
  type PointerRow,
  selectPointers,
} from './repository/environment-repo.ts';
import type { FixtureRow } from './repository/fixture-repo.ts';
import type { TemplateRow } from './repository/template-repo.ts';
import { labelsOf, type VersionRow } from './repository/version-repo.ts';
import { aliasOf } from './versions/label.ts';

/** The versions that the environments of one template are on: `{ staging: 'v1.0.0', production: 'v1.0.0' }`. */
function presentPointers(pointers: readonly PointerRow[], templateId: string): Record<string, string> {
  const own = pointers.filter((pointer) => pointer.template_id === templateId);
  return Object.fromEntries(own.map(({ environment, label }) => [environment, label]));
}

export function presentSummary(
  row: TemplateRow,
  head: { label: string; branch: string },
  pointers: readonly PointerRow[],
) {
  const { id, name, kind, description, tags } = row;
  return {
    id,
    name,
    kind,
    description,
    tags,
    version: head.label,
    branch: head.branch,
    environments: presentPointers(pointers, id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export type PresentedVersion = ReturnType<typeof presentVersion>;

type VersionContext = {
  /** The template's name. */
  readonly template: string;
  /** Labels of the versions that a version refers to, by id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly pointers: readonly PointerRow[];
};

export function presentVersion(row: VersionRow, { template, labels, pointers }: VersionContext) {
  const alias = aliasOf(row.label);
  const label = (id: string) => labels.get(id) ?? id;
  return {
    id: row.id,
    template,
    version: row.label,
    ...(alias && { alias }),
    branch: row.branch,
    parents: row.parents.map(label),
    seq: row.seq,
    sha256: row.content,
    bump: row.bump,
    bump_reason: row.bump_reason,
    message: row.message,
    author: row.author,
    ...(row.rolled_back_from && { rolled_back_from: label(row.rolled_back_from) }),
    environments: pointers
      .filter(({ version_id }) => version_id === row.id)
      .map(({ environment }) => environment),
    created_at: row.created_at.toISOString(),
  };
}

/** Presents versions of a template, with the labels they refer to and the environments they are in. */
export async function presentVersions(
  sql: Sql | Tx,
  accountId: string,
  { id, name }: Pick<TemplateRow, 'id' | 'name'>,
  versions: readonly VersionRow[],
): Promise<PresentedVersion[]> {
  const references = versions.flatMap(({ parents, rolled_back_from: origin }) =>
    origin === null ? parents : [...parents, origin],
  );
  const labels = references.length > 0 ? await labelsOf(sql, accountId, [...new Set(references)]) : new Map();
  const pointers = await selectPointers(sql, accountId, [id]);
  return versions.map((version) => presentVersion(version, { template: name, labels, pointers }));
}

export function presentVariables(variables: VersionRow['variables']) {
  return variables.map(({ declared: _declared, ...variable }) => variable);
}

export function presentEvent({ seq: _seq, label, previous, created_at, ...event }: PointerEventRow) {
  return { ...event, version: label, ...(previous && { previous }), created_at: created_at.toISOString() };
}

export function presentEnvironment({ name, require_from, approvals, frozen }: EnvironmentRow) {
  return { name, ...(require_from && { require_from }), approvals, freeze: frozen };
}

export function presentFixture({ created_at, updated_at, ...fixture }: FixtureRow) {
  return { ...fixture, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** The entity tag of a template: it changes with every change that readers can see. */
export function etagOf({ id, revision }: Pick<TemplateRow, 'id' | 'revision'>): string {
  return `${id}.${revision}`;
}

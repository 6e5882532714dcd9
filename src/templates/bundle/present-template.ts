import type {
  BundledBranchRow,
  BundledFixtureRow,
  BundledTemplateRow,
  BundledVersionRow,
  PinnedVersionRow,
} from '../repository/bundle-repo.ts';
import type { PointerRow } from '../repository/environment-repo.ts';
import type { BundledTemplate, BundledVersion } from './bundle-format.ts';

/** What is kept of some templates, beside their contents and samples. */
export type Kept = {
  readonly versions: readonly BundledVersionRow[];
  readonly branches: readonly BundledBranchRow[];
  readonly pointers: readonly PointerRow[];
  readonly fixtures: readonly BundledFixtureRow[];
  /** The versions of layouts and partials that the versions were saved with, by id. */
  readonly pinned: ReadonlyMap<string, PinnedVersionRow>;
};

/** Where a version's content is, and what of it has no file. */
export type Placed = Pick<BundledVersion, 'folder' | 'fields'>;

/** A template as the bundle lists it. Ids stay behind: labels say the same. */
export function presentTemplate(
  template: BundledTemplateRow,
  kept: Kept,
  placed: (version: BundledVersionRow) => Placed,
): BundledTemplate {
  const { id, name, kind, description, tags, created_at, updated_at } = template;
  const isMine = (row: { readonly template_id: string }) => row.template_id === id;
  const versions = kept.versions.filter(isMine);
  const labels = new Map(versions.map((version) => [version.id, version.label]));
  const label = (version: string) => labels.get(version) ?? version;
  const pointers = kept.pointers.filter(isMine);
  return {
    name,
    kind,
    description,
    tags,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    versions: versions.map((row) => presentVersion(row, kept, label, placed(row))),
    branches: kept.branches
      .filter(isMine)
      .sort(byName)
      .map((branch) => presentBranch(branch, label)),
    environments: Object.fromEntries(pointers.map((pointer) => [pointer.environment, pointer.label])),
    fixtures: kept.fixtures
      .filter(isMine)
      .sort(byName)
      .map((fixture) => fixture.name),
  };
}

function presentVersion(
  row: BundledVersionRow,
  { pinned }: Kept,
  label: (id: string) => string,
  { folder, fields }: Placed,
): BundledVersion {
  const { branch, message, author, bump, bump_reason, rolled_back_from: origin } = row;
  return {
    label: row.label,
    branch,
    message,
    author,
    bump,
    bump_reason,
    sha256: row.content,
    folder,
    created_at: row.created_at.toISOString(),
    // A part that was deleted since is in no bundle, so what was pinned to it is left out.
    uses: row.uses.flatMap(({ kind, name, version_id }) => {
      const part = pinned.get(version_id);
      return part?.name === name ? [{ kind, name, version: part.label }] : [];
    }),
    fields,
    parents: row.parents.map(label),
    ...(origin && { rolled_back_from: label(origin) }),
  };
}

function presentBranch(
  { name, head, base, description, created_at, merged_at }: BundledBranchRow,
  label: (id: string) => string,
) {
  return {
    name,
    head: label(head),
    base: label(base),
    description,
    created_at: created_at.toISOString(),
    ...(merged_at && { merged_at: merged_at.toISOString() }),
  };
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

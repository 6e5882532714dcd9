import { stableJson } from '../../platform/stable-json.ts';
import type { BundledBranchRow, BundledTemplateRow, BundledVersionRow } from '../repository/bundle-repo.ts';
import type { PointerRow } from '../repository/environment-repo.ts';
import type { Data, Document } from '../schema.ts';
import { type BundledTemplate, type BundledVersion, filesOfDocument } from './bundle-format.ts';

/** Everything kept of one template, among what is kept of others. */
export type Kept = {
  readonly template: BundledTemplateRow;
  readonly versions: readonly BundledVersionRow[];
  readonly branches: readonly BundledBranchRow[];
  readonly pointers: readonly PointerRow[];
  readonly fixtures: readonly { template_id: string; name: string; data: Data }[];
  /** Names of the templates of the bundle by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly contents: ReadonlyMap<string, Document>;
};

type File = readonly [path: string, text: string];

/** A template as the bundle lists it, and its files. Ids stay behind: labels say the same. */
export function presentTemplate(kept: Kept): { entry: BundledTemplate; files: File[] } {
  const { template, names } = kept;
  const { id, name, kind, description, tags, created_at, updated_at } = template;
  const labels = new Map(kept.versions.map((version) => [version.id, version]));
  const label = (version: string) => labels.get(version)?.label ?? version;
  const mine = kept.versions.filter((version) => version.template_id === id);
  const fixtures = kept.fixtures.filter((fixture) => fixture.template_id === id).sort(byName);
  const { versions, files } = presentVersions(mine, kept.contents, `templates/${name}`, presentUses);
  const entry: BundledTemplate = {
    name,
    kind,
    description,
    tags,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    versions: versions.map((version, index) => ({ ...version, ...linksOf(mine[index]) })),
    branches: kept.branches
      .filter((branch) => branch.template_id === id)
      .sort(byName)
      .map((branch) => presentBranch(branch, label)),
    environments: Object.fromEntries(
      kept.pointers
        .filter((pointer) => pointer.template_id === id)
        .map((pointer) => [pointer.environment, pointer.label]),
    ),
    fixtures: fixtures.map((fixture) => fixture.name),
  };
  const samples = fixtures.map(
    (fixture): File => [`templates/${name}/fixtures/${fixture.name}.json`, stableJson(fixture.data)],
  );
  return { entry, files: [...files, ...samples] };

  function linksOf(row: BundledVersionRow | undefined) {
    const origin = row?.rolled_back_from;
    return { parents: (row?.parents ?? []).map(label), ...(origin && { rolled_back_from: label(origin) }) };
  }

  /** A part that was deleted since is in no bundle, so what was pinned to it is left out. */
  function presentUses({ uses }: BundledVersionRow): BundledVersion['uses'] {
    return uses.flatMap((use) => {
      const pinned = labels.get(use.version_id);
      const isHere = pinned && names.get(pinned.template_id) === use.name;
      return isHere ? [{ kind: use.kind, name: use.name, version: pinned.label }] : [];
    });
  }
}

/** Versions with the same content share the folder of the first. */
function presentVersions(
  rows: readonly BundledVersionRow[],
  contents: ReadonlyMap<string, Document>,
  path: string,
  usesOf: (row: BundledVersionRow) => BundledVersion['uses'],
) {
  const folders = new Map<string, string>();
  const files: File[] = [];
  const versions = rows.map((row) => {
    const document = contents.get(row.content);
    // Versions hold a foreign key to their content, so this is a fault of ours.
    if (!document) throw new Error(`content ${row.content} is gone`);
    const { files: own, fields } = filesOfDocument(document);
    const folder = folders.get(row.content) ?? row.label;
    if (!folders.has(row.content))
      files.push(...own.map(([file, text]): File => [`${path}/${folder}/${file}`, text]));
    folders.set(row.content, folder);
    const { label, branch, message, author, bump, bump_reason, created_at, content } = row;
    const version = { label, branch, message, author, bump, bump_reason, sha256: content, folder };
    return {
      ...version,
      created_at: created_at.toISOString(),
      uses: usesOf(row),
      // Fields of a document are JSON, and so are those that have no file.
      fields: fields as BundledVersion['fields'],
    };
  });
  return { versions, files };
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

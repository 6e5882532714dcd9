import type { Warning } from '../../language.ts';
import type { BundledVersion } from '../bundle/bundle-format.ts';
import type { TemplateContext } from '../context.ts';
import { partialName } from '../engine/language/ast.ts';
import { selectBranch } from '../repository/branch-repo.ts';
import { selectTemplate, type TemplateRow } from '../repository/template-repo.ts';
import { selectVersion, type Use, type VersionRow, versionByLabel } from '../repository/version-repo.ts';
import { DEFAULT_BRANCH, type Document, TemplateName } from '../schema.ts';
import { hashDocument } from '../versions/document.ts';
import type { ImportedTemplate } from './imported-template.ts';
import { readExpressions } from './rewriting/read-expressions.ts';
import { applyEdits, type Edit } from './rewriting/rewriting.ts';

export type OnConflict = 'skip' | 'rename' | 'version';

/** A template with the name it will have, and the one that has this name already. */
export type PlannedTemplate = {
  readonly imported: ImportedTemplate;
  readonly name: string;
  readonly taken: { readonly row: TemplateRow; readonly head: VersionRow } | undefined;
};

type Skip = 'import_skipped_taken' | 'import_skipped_identical' | 'import_skipped_kind';

/** Gives every imported its name, in the order of the payload, and has them call each other by these names. */
export async function planImport(
  { sql }: Pick<TemplateContext, 'sql'>,
  accountId: string,
  importedTemplates: readonly ImportedTemplate[],
  { onConflict, prefix }: { onConflict: OnConflict; prefix: string },
): Promise<PlannedTemplate[]> {
  const given = new Set<string>();
  const planned: PlannedTemplate[] = [];
  for (const imported of importedTemplates) {
    const wanted = wantedName(imported, prefix);
    const name = await nameFor(wanted);
    given.add(name);
    planned.push({ imported, name, taken: await takenBy(name) });
  }
  const names = new Map(planned.map(({ imported, name }) => [imported.key, name]));
  const isRenamed = planned.some(({ imported, name }) => imported.key !== name);
  return planned.map((one) => renamed(one, isRenamed ? names : undefined));

  async function takenBy(name: string): Promise<PlannedTemplate['taken']> {
    const main = { by: 'branch', value: DEFAULT_BRANCH } as const;
    const found = await selectVersion(sql, accountId, name, main, false);
    return found?.version ? { row: found.template, head: found.version } : undefined;
  }

  async function nameFor(wanted: string): Promise<string> {
    const isGone = async (name: string) =>
      given.has(name) ||
      (onConflict === 'rename' && (await selectTemplate(sql, accountId, name)) !== undefined);
    return (await isGone(wanted)) ? freeName(wanted, isGone) : wanted;
  }
}

/** A bundle's names are an account's, so they come back to the letter; others are tidied. */
function wantedName({ name, history }: ImportedTemplate, prefix: string): string {
  const isOwn = history !== undefined && TemplateName.safeParse(prefix + name).success;
  return isOwn ? prefix + name : templateName(prefix + name);
}

/** Why an imported is left out although nothing is wrong with it. */
export async function skipOf(
  { imported, taken }: PlannedTemplate,
  onConflict: OnConflict,
): Promise<Skip | undefined> {
  if (!taken || imported.problems.length > 0) return undefined;
  if (taken.row.kind !== imported.kind) return 'import_skipped_kind';
  for (const version of [imported.versions[imported.active], imported.versions.at(-1)]) {
    if (version && hashDocument(await version.read()) === taken.head.content)
      return 'import_skipped_identical';
  }
  return onConflict === 'skip' ? 'import_skipped_taken' : undefined;
}

function renamed(planned: PlannedTemplate, names: ReadonlyMap<string, string> | undefined): PlannedTemplate {
  const { imported, name } = planned;
  const note: Warning = { key: 'import_renamed', params: { from: imported.name, to: name } };
  const versions = names
    ? imported.versions.map((version) => {
        return { ...version, read: async () => renameParts(await version.read(), names) };
      })
    : imported.versions;
  const notes = name === imported.name ? imported.notes : [note, ...imported.notes];
  return { ...planned, imported: { ...imported, versions, notes } };
}

/** The document with the layout and partials called by their new names. */
function renameParts(document: Document, names: ReadonlyMap<string, string>): Document {
  const renamed = { ...document };
  for (const field of ['html', 'subject', 'preheader', 'text'] as const) {
    const text = document[field];
    if (text?.includes('{{')) renamed[field] = renameCalls(text, names);
  }
  const layout = document.layout === undefined ? undefined : names.get(document.layout);
  return layout === undefined ? renamed : { ...renamed, layout };
}

function renameCalls(text: string, names: ReadonlyMap<string, string>): string {
  const edits: Edit[] = [];
  readExpressions(text, (spanOf) => ({
    partial(node) {
      const name = partialName(node);
      const to = names.get(name);
      // Quotes, since a name may have spaces.
      if (to !== undefined && to !== name) edits.push({ ...spanOf(node.name), text: `"${to}"` });
    },
  }));
  return edits.length > 0 ? applyEdits(text, edits).text : text;
}

const LENGTH = 100;

/** The nearest name a template can have: `Order #12 / paid!` → `Order-12-paid`. */
function templateName(wanted: string): string {
  const inner = wanted.normalize('NFC').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}._-]+$/gu, '');
  const plain = inner.replace(/ *[^\p{L}\p{M}\p{N} ._-]+ */gu, '-');
  return ended([...plain].slice(0, LENGTH).join('')) || 'template';
}

/** `welcome-2`, `welcome-3`…: the first that is free. */
async function freeName(
  name: string,
  isTaken: (name: string) => boolean | Promise<boolean>,
): Promise<string> {
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const candidate = ended([...name].slice(0, LENGTH - suffix.length).join('')) + suffix;
    if (!(await isTaken(candidate))) return candidate;
  }
}

function ended(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}._-]+$/u, '');
}

type BundledUse = BundledVersion['uses'][number];

/** What each version is pinned to, by its id. `lost` holds the labels of versions for which another version had to do. */
export type Pins = {
  readonly uses: ReadonlyMap<string, readonly Use[]>;
  readonly lost: ReadonlySet<string>;
};

/**
 * What the versions of a bundle are pinned to, as versions of this account: those that come along, or equal ones it
 * has already. Where there is neither, the newest there is takes the place.
 * @param names Every template of the import by the key its source knows it by
 */
export async function resolvePins(
  { sql }: Pick<TemplateContext, 'sql'>,
  accountId: string,
  { imported }: PlannedTemplate,
  coming: ReadonlySet<PlannedTemplate>,
  names: ReadonlyMap<string, PlannedTemplate>,
): Promise<Pins> {
  const uses = new Map<string, readonly Use[]>();
  const lost = new Set<string>();
  for (const [index, version] of (imported.history?.versions ?? []).entries()) {
    const found: Use[] = [];
    for (const use of version.uses) {
      const same = await sameVersion(use);
      const id = same ?? (await newestVersion(use));
      if (id) found.push({ kind: use.kind, name: names.get(use.name)?.name ?? use.name, version_id: id });
      if (!same) lost.add(version.label);
    }
    uses.set(imported.versions[index]?.id ?? '', found);
  }
  return { uses, lost };

  async function sameVersion({ name, version: label }: BundledUse): Promise<string | undefined> {
    const planned = names.get(name);
    const index = planned?.imported.history?.versions.findIndex((version) => version.label === label) ?? -1;
    const bundled = planned?.imported.versions[index];
    if (planned && !planned.taken && coming.has(planned)) return bundled?.id;
    const row = await selectTemplate(sql, accountId, planned?.name ?? name);
    const stored = row && (await versionByLabel(sql, accountId, row.id, label));
    const isSame = stored && bundled && stored.content === hashDocument(await bundled.read());
    return isSame ? stored.id : undefined;
  }

  async function newestVersion({ name }: BundledUse): Promise<string | undefined> {
    const planned = names.get(name);
    if (planned && coming.has(planned)) return planned.imported.versions[planned.imported.active]?.id;
    const row = await selectTemplate(sql, accountId, planned?.name ?? name);
    return row && (await selectBranch(sql, accountId, row.id, DEFAULT_BRANCH))?.head;
  }
}

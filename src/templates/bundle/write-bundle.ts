import type { Tx } from '../../platform/database/database.ts';
import { stableJson } from '../../platform/stable-json.ts';
import { MANIFEST } from '../importing/archive/limits.ts';
import * as bundleRepo from '../repository/bundle-repo.ts';
import { selectPointers } from '../repository/environment-repo.ts';
import { filesOfDocument, fixtureFile, folderOf, type Manifest, TEMPLATE_FILE } from './bundle-format.ts';
import { type Kept, type Placed, presentTemplate } from './present-template.ts';

export type BundleRequest = {
  /** Those to export, with the layouts and partials they use; undefined for all. */
  readonly names: readonly string[] | undefined;
  /** With the pictures and fonts that they refer to. */
  readonly assets: boolean;
  /** Whether the caller may read those. */
  readonly mayReadAssets: boolean;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
};

export type AddFile = (path: string, text: string) => Promise<void>;

/** How many are in memory at a time: templates, and their contents or samples, which can be a megabyte each. */
const TEMPLATES_AT_A_TIME = 25;
const CONTENTS_AT_A_TIME = 50;
const FIXTURES_AT_A_TIME = 10;

/** Adds the files of a bundle in one order, so that the same templates are the same bytes. */
export async function writeTemplates(
  tx: Tx,
  accountId: string,
  { names, signal, progress }: Pick<BundleRequest, 'names' | 'signal' | 'progress'>,
  add: AddFile,
): Promise<void> {
  const templates = await withParts(tx, accountId, names);
  const manifest: Manifest = {
    format: 'stallhand-bundle',
    version: 2,
    templates: templates.map(({ name }) => name),
  };
  await add(MANIFEST, stableJson(manifest));
  for (let start = 0; start < templates.length; start += TEMPLATES_AT_A_TIME) {
    signal.throwIfAborted();
    progress(start, templates.length, 'exporting');
    await writePage(tx, accountId, templates.slice(start, start + TEMPLATES_AT_A_TIME), add);
  }
  progress(templates.length, templates.length, 'exported');
}

/** The templates asked for and, step by step, the layouts and partials that those were saved with. */
async function withParts(
  tx: Tx,
  accountId: string,
  names: readonly string[] | undefined,
): Promise<bundleRepo.NamedTemplate[]> {
  const found = new Map<string, bundleRepo.NamedTemplate>();
  let wanted: readonly string[] | null = names ?? null;
  while (wanted === null || wanted.length > 0) {
    const rows = await bundleRepo.selectNames(tx, accountId, wanted);
    for (const row of rows) found.set(row.name, row);
    if (wanted === null) break;
    const ids = rows.map(({ id }) => id);
    const used = new Set(await bundleRepo.selectUsedNames(tx, accountId, ids));
    const known: ReadonlySet<string> = new Set([...found.keys(), ...wanted]);
    wanted = [...used.difference(known)];
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Contents, then samples, then what is known of each template. */
async function writePage(
  tx: Tx,
  accountId: string,
  page: readonly bundleRepo.NamedTemplate[],
  add: AddFile,
): Promise<void> {
  const ids = page.map(({ id }) => id);
  const nameOf = new Map(page.map(({ id, name }) => [id, name]));
  const kept = await readKept(tx, accountId, ids);
  const placed = await writeContents(tx, accountId, kept.versions, nameOf, add);
  for (const some of chunksOf(kept.fixtures, FIXTURES_AT_A_TIME)) {
    const samples = await bundleRepo.selectFixtures(tx, accountId, some);
    for (const { template_id, name } of some) {
      const sample = samples.find((one) => one.template_id === template_id && one.name === name);
      await add(fixtureFile(nameOf.get(template_id) ?? '', name), stableJson(sample?.data));
    }
  }
  const templates = await bundleRepo.selectTemplates(tx, accountId, ids);
  for (const { id, name } of page) {
    const template = templates.find((row) => row.id === id);
    if (!template) throw new Error(`the snapshot has lost ${id}`);
    await add(`${folderOf(name)}/${TEMPLATE_FILE}`, stableJson(presentTemplate(template, kept, placed)));
  }
}

async function readKept(tx: Tx, accountId: string, ids: readonly string[]): Promise<Kept> {
  const versions = await bundleRepo.selectVersions(tx, accountId, ids);
  const used = versions.flatMap(({ uses }) => uses.map(({ version_id }) => version_id));
  const pinned = await bundleRepo.selectPinned(tx, accountId, [...new Set(used)]);
  return {
    versions,
    branches: await bundleRepo.selectBranches(tx, accountId, ids),
    pointers: await selectPointers(tx, accountId, ids),
    fixtures: await bundleRepo.selectFixtureNames(tx, accountId, ids),
    pinned: new Map(pinned.map((version) => [version.id, version])),
  };
}

/** Writes the files of versions. Those of one template with the same content share the folder of the first. */
async function writeContents(
  tx: Tx,
  accountId: string,
  versions: readonly bundleRepo.BundledVersionRow[],
  nameOf: ReadonlyMap<string, string>,
  add: AddFile,
): Promise<(version: bundleRepo.BundledVersionRow) => Placed> {
  const placed = new Map<string, Placed>();
  const keyOf = ({ template_id, content }: bundleRepo.BundledVersionRow) => `${template_id} ${content}`;
  const firsts = new Map<string, bundleRepo.BundledVersionRow>();
  for (const version of versions) {
    if (!firsts.has(keyOf(version))) firsts.set(keyOf(version), version);
  }
  for (const some of chunksOf([...firsts.values()], CONTENTS_AT_A_TIME)) {
    const hashes = some.map(({ content }) => content);
    const documents = await bundleRepo.selectContents(tx, accountId, hashes);
    for (const version of some) {
      const document = documents.get(version.content);
      // Versions hold a foreign key to their content, so this is a fault of ours.
      if (!document) throw new Error(`content ${version.content} is gone`);
      const { files, fields } = filesOfDocument(document);
      const folder = `${folderOf(nameOf.get(version.template_id) ?? '')}/${version.label}`;
      for (const [file, text] of files) await add(`${folder}/${file}`, text);
      // Fields of a document are JSON, and so are those that have no file.
      placed.set(keyOf(version), { folder: version.label, fields: fields as Placed['fields'] });
    }
  }
  return (version) => placed.get(keyOf(version)) ?? { folder: version.label, fields: {} };
}

function* chunksOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

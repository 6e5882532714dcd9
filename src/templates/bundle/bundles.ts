import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { stableJson } from '../../platform/stable-json.ts';
import type { TemplateContext } from '../context.ts';
import { createEnvironmentStore } from '../environments/store.ts';
import { ARCHIVE_LIMITS, MANIFEST } from '../importing/archive/limits.ts';
import { createLookup } from '../lookup.ts';
import type { Document } from '../schema.ts';
import type { Manifest } from './bundled-history.ts';
import { type Kept, presentTemplate } from './present-template.ts';
import { createBundleStore, type KeptTemplate, type KeptVersion } from './store.ts';
import { writeZip } from './write-zip.ts';

/** How many templates a bundle or an import may hold. */
export const BUNDLE_TEMPLATES = 500;

const CONTENTS_AT_A_TIME = 50;

/** Templates with their whole history as one file that imports back to the same. */
export function createBundles({ sql }: Pick<TemplateContext, 'sql'>) {
  return {
    /**
     * A zip of the templates named, or of all. Layouts and partials they use come along.
     * @throws Fault not_found for a name, too_large.bundle over 64 MB
     */
    async export(accountId: string, names: readonly string[] | undefined) {
      for (const name of names ?? []) await createLookup(sql).template(accountId, name);
      // One state of everything, however much is written meanwhile.
      const files = await sql.begin('isolation level repeatable read', (tx) => collect(tx, accountId, names));
      const bytes = await writeZip(files);
      return { bytes, mediaType: 'application/zip', filename: 'stallhand-bundle.zip' };
    },
  };
}

async function collect(tx: Tx, accountId: string, names: readonly string[] | undefined) {
  const store = createBundleStore(tx);
  const templates = await withParts(tx, accountId, names);
  const ids = templates.map(({ id }) => id);
  const limit = ARCHIVE_LIMITS.bytes;
  if (templates.length > BUNDLE_TEMPLATES || (await store.bytes(accountId, ids)) > limit) throw tooLarge();
  const versions = await store.versions(accountId, ids);
  const kept: Omit<Kept, 'template'> = {
    versions,
    branches: await store.branches(accountId, ids),
    pointers: await createEnvironmentStore(tx).pointers(accountId, ids),
    fixtures: await store.fixtures(accountId, ids),
    names: new Map(templates.map(({ id, name }) => [id, name])),
    contents: await contentsOf(store, accountId, versions),
  };
  const presented = templates.map((template) => presentTemplate({ ...kept, template }));
  const manifest: Manifest = {
    format: 'stallhand-bundle',
    version: 1,
    templates: presented.map(({ entry }) => entry),
  };
  const files = [[MANIFEST, stableJson(manifest)] as const, ...presented.flatMap((one) => one.files)];
  return demandSize(new Map(files.map(([path, text]) => [path, Buffer.from(text)])));
}

/** Some at a time: tens of megabytes in one answer would hold up every other call while they are read. */
async function contentsOf(
  store: ReturnType<typeof createBundleStore>,
  accountId: string,
  versions: readonly KeptVersion[],
): Promise<Map<string, Document>> {
  const hashes = [...new Set(versions.map(({ content }) => content))];
  const found = new Map<string, Document>();
  for (let start = 0; start < hashes.length; start += CONTENTS_AT_A_TIME) {
    const some = await store.contents(accountId, hashes.slice(start, start + CONTENTS_AT_A_TIME));
    for (const [hash, document] of some) found.set(hash, document);
  }
  return found;
}

/** The templates asked for and, step by step, the layouts and partials that those were saved with. */
async function withParts(sql: Sql | Tx, accountId: string, names: readonly string[] | undefined) {
  const store = createBundleStore(sql);
  const found = new Map<string, KeptTemplate>();
  let wanted: readonly string[] | null = names ?? null;
  while (wanted === null || wanted.length > 0) {
    const rows = await store.templates(accountId, wanted, BUNDLE_TEMPLATES + 1);
    for (const row of rows) found.set(row.name, row);
    if (wanted === null || found.size > BUNDLE_TEMPLATES) break;
    const versions = await store.versions(
      accountId,
      rows.map(({ id }) => id),
    );
    const used = new Set(versions.flatMap(({ uses }) => uses.map(({ name }) => name)));
    const known: ReadonlySet<string> = new Set([...found.keys(), ...wanted]);
    wanted = [...used.difference(known)];
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What cannot be imported again is not exported. */
function demandSize(files: Map<string, Buffer>): Map<string, Buffer> {
  const { bundle, bytes } = ARCHIVE_LIMITS;
  const sizes = [...files.values()].map(({ length }) => length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fits =
    total <= bytes && files.size <= bundle.entries && sizes.every((size) => size <= bundle.entryBytes);
  if (!fits) throw tooLarge();
  return files;
}

function tooLarge(): Fault {
  return new Fault('too_large.bundle', { limit: ARCHIVE_LIMITS.bytes, templates: BUNDLE_TEMPLATES });
}

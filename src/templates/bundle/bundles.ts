import { buffer } from 'node:stream/consumers';
import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { stableJson } from '../../platform/stable-json.ts';
import type { TemplateContext } from '../context.ts';
import { ARCHIVE_LIMITS, MANIFEST } from '../importing/archive/read-archive.ts';
import * as bundleRepo from '../repository/bundle-repo.ts';
import { selectPointers } from '../repository/environment-repo.ts';
import { findTemplate } from '../resolve/find-version.ts';
import type { Document } from '../schema.ts';
import type { Manifest } from './bundle-format.ts';
import { type Kept, presentTemplate } from './present-template.ts';

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
      for (const name of names ?? []) await findTemplate(sql, accountId, name);
      // One snapshot, whatever is written at the same time.
      const files = await sql.begin('isolation level repeatable read', (tx) => collect(tx, accountId, names));
      const bytes = await writeZip(files);
      return { bytes, mediaType: 'application/zip', filename: 'stallhand-bundle.zip' };
    },
  };
}

async function collect(tx: Tx, accountId: string, names: readonly string[] | undefined) {
  const templates = await withParts(tx, accountId, names);
  const ids = templates.map(({ id }) => id);
  const limit = ARCHIVE_LIMITS.bytes;
  if (templates.length > BUNDLE_TEMPLATES || (await bundleRepo.contentBytes(tx, accountId, ids)) > limit)
    throw tooLarge();
  const versions = await bundleRepo.selectVersions(tx, accountId, ids);
  const kept: Omit<Kept, 'template'> = {
    versions,
    branches: await bundleRepo.selectBranches(tx, accountId, ids),
    pointers: await selectPointers(tx, accountId, ids),
    fixtures: await bundleRepo.selectFixtures(tx, accountId, ids),
    names: new Map(templates.map(({ id, name }) => [id, name])),
    contents: await contentsOf(tx, accountId, versions),
  };
  const presented = templates.map((template) => presentTemplate({ ...kept, template }));
  const manifest: Manifest = {
    format: 'stallhand-bundle',
    version: 1,
    templates: presented.map(({ entry }) => entry),
  };
  const files = [[MANIFEST, stableJson(manifest)] as const, ...presented.flatMap((one) => one.files)];
  return assertSize(new Map(files.map(([path, text]) => [path, Buffer.from(text)])));
}

/** In chunks: tens of megabytes in one result would block every other call while they are parsed. */
async function contentsOf(
  tx: Tx,
  accountId: string,
  versions: readonly bundleRepo.BundledVersionRow[],
): Promise<Map<string, Document>> {
  const hashes = [...new Set(versions.map(({ content }) => content))];
  const found = new Map<string, Document>();
  for (let start = 0; start < hashes.length; start += CONTENTS_AT_A_TIME) {
    const some = await bundleRepo.selectContents(
      tx,
      accountId,
      hashes.slice(start, start + CONTENTS_AT_A_TIME),
    );
    for (const [hash, document] of some) found.set(hash, document);
  }
  return found;
}

/** The templates asked for and, step by step, the layouts and partials that those were saved with. */
async function withParts(tx: Tx, accountId: string, names: readonly string[] | undefined) {
  const found = new Map<string, bundleRepo.BundledTemplateRow>();
  let wanted: readonly string[] | null = names ?? null;
  while (wanted === null || wanted.length > 0) {
    const rows = await bundleRepo.selectTemplates(tx, accountId, wanted, BUNDLE_TEMPLATES + 1);
    for (const row of rows) found.set(row.name, row);
    if (wanted === null || found.size > BUNDLE_TEMPLATES) break;
    const versions = await bundleRepo.selectVersions(
      tx,
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
function assertSize(files: Map<string, Buffer>): Map<string, Buffer> {
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

const MODE = 0o100644;

/** A zip archive whose bytes depend on nothing but its files: sorted by path, all of the first day of 1980. */
async function writeZip(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = await pack(files, true);
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  // What shrinks as much as a bomb would be refused as one.
  const { ratio, innocentBytes } = ARCHIVE_LIMITS;
  return total > innocentBytes && total > zip.length * ratio ? pack(files, false) : zip;
}

async function pack(files: ReadonlyMap<string, Buffer>, compress: boolean): Promise<Buffer> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  // The format has local time and no zone; this is the same day everywhere.
  const options = { mtime: new Date(1980, 0, 1), mode: MODE, compress, forceDosTimestamp: true };
  for (const path of [...files.keys()].sort()) {
    const bytes = files.get(path);
    if (bytes) zip.addBuffer(bytes, path, options);
  }
  zip.end();
  return buffer(zip.outputStream);
}

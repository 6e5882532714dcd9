import { open } from 'node:fs/promises';
import { Fault } from '../../errors.ts';
import type { FileOnDisk } from '../../files/files.ts';
import { withTemporaryFile } from '../../platform/temporary-file.ts';
import { createZipWriter } from '../../platform/zip-writer.ts';
import type { TemplateContext } from '../context.ts';
import { ARCHIVE_LIMITS } from '../importing/archive/limits.ts';
import { findTemplate } from '../resolve/find-version.ts';
import { createAssetBundler } from './bundled-assets.ts';
import { type AddFile, type BundleRequest, writeTemplates } from './write-bundle.ts';

/**
 * Templates with their whole history as one zip that imports back to the same. In: names, or all. Out: a file, and the
 * templates it brings. Always: the same templates are the same bytes, and a file that no import takes is never written.
 */
export function createBundles({ sql, library }: Pick<TemplateContext, 'sql' | 'library'>) {
  return {
    /**
     * Writes a zip and gives it to `deliver`; it is removed after. The same templates are the same bytes.
     * @throws Fault not_found for a name, too_large.bundle for what no import would take, insufficient_scope.bundle_assets
     */
    async export<Result>(
      accountId: string,
      request: BundleRequest,
      deliver: (file: FileOnDisk) => Promise<Result>,
    ): Promise<Result> {
      for (const name of request.names ?? []) await findTemplate(sql, accountId, name);
      return withTemporaryFile(async (path) => {
        const assets = createAssetBundler(library, accountId);
        await writeArchive(path, async (add) => {
          const addText: AddFile = (entry, text) => {
            assets.collect(text);
            return add(entry, text);
          };
          // One snapshot, whatever is written at the same time.
          await sql.begin('isolation level repeatable read', (tx) =>
            writeTemplates(tx, accountId, request, addText),
          );
          if (request.assets) await assets.write(add, request.mayReadAssets);
        });
        return deliver({ path, mediaType: 'application/zip', filename: 'stallhand-bundle.zip' });
      });
    },
  };
}

type Add = (path: string, content: string | Buffer) => Promise<void>;

async function writeArchive(path: string, fill: (add: Add) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const zip = createZipWriter((bytes) => file.appendFile(bytes));
    const { bundle, archiveBytes } = ARCHIVE_LIMITS;
    let files = 0;
    let total = 0;
    await fill(async (entry, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      files += 1;
      total += bytes.length;
      const fits = files <= bundle.entries && bytes.length <= bundle.entryBytes && total <= bundle.bytes;
      if (!fits) throw tooLarge();
      await zip.add(entry, bytes);
    });
    if ((await zip.end()) > archiveBytes) throw tooLarge();
  } finally {
    await file.close();
  }
}

/** What cannot be imported again is not exported. */
function tooLarge(): Fault {
  return new Fault('too_large.bundle', { limit: ARCHIVE_LIMITS.bundle.bytes });
}

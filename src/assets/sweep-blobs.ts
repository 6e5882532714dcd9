import { type Blobs, dayOld } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import * as assetRepo from './asset-repo.ts';
import * as uploadRepo from './upload-repo.ts';
import * as variantRepo from './variant-repo.ts';

type SweepDeps = { readonly sql: Sql; readonly blobs: Blobs; readonly now: () => number };

/** Folder, account, content or upload, and what comes after. */
const OWN_BLOB = /^(assets|asset-uploads|asset-variants)\/(acc_\w+)\/(\w+)(?:\/([\w-]+))?$/;

/** Removes blobs that no row names; young ones may still get theirs. */
export async function sweepBlobs({ sql, blobs, now }: SweepDeps): Promise<void> {
  for await (const key of blobs.keys(dayOld(now))) {
    const [, folder, accountId = '', name = '', spec = ''] = OWN_BLOB.exec(key) ?? [];
    if (folder === 'assets') await sweepContent(accountId, name, key);
    else if (folder === 'asset-uploads' && !(await uploadRepo.hasUpload(sql, accountId, name)))
      await blobs.delete(key);
    else if (
      folder === 'asset-variants' &&
      !(await variantRepo.hasVariant(sql, accountId, { sha256: name, spec }))
    )
      await blobs.delete(key);
  }

  function sweepContent(accountId: string, sha256: string, key: string): Promise<void> {
    return sql.begin(async (tx) => {
      await assetRepo.lockContent(tx, accountId, sha256);
      if (!(await assetRepo.hasContent(tx, accountId, sha256))) await blobs.delete(key);
    });
  }
}

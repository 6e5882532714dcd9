import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Sql } from '../platform/database/database.ts';
import * as assetRepo from './asset-repo.ts';
import { type ReferencingText, referencesTo } from './references.ts';

type PublishedUsesDeps = {
  readonly sql: Sql;
  /** Texts of the account that an environment shows. */
  readonly publishedTextsOf: (accountId: string) => Promise<readonly ReferencingText[]>;
};

/** Who replaces, moves or deletes an asset. */
export type Changer = Pick<Caller, 'accountId' | 'scopes'>;

export type RequirePublishable = ReturnType<typeof createRequirePublishable>;

/** Guards what production shows: an asset of a published template changes with the right to publish, as the template does. */
export function createRequirePublishable({ sql, publishedTextsOf }: PublishedUsesDeps) {
  /** Passes where nothing has the ID or path. @throws Fault insufficient_scope.asset_published */
  return async ({ accountId, scopes }: Changer, idOrPath: string): Promise<void> => {
    if (scopes.includes('templates:promote')) return;
    const asset = await assetRepo.findAsset(sql, accountId, idOrPath);
    if (!asset || asset.deleted_at) return;
    const { id, path } = asset;
    const users = referencesTo(await publishedTextsOf(accountId), [id, path]).map(({ name }) => name);
    if (users.length === 0) return;
    const shown = users.slice(0, 5).join(', ');
    throw new Fault('insufficient_scope.asset_published', { scope: 'templates:promote', path, users: shown });
  };
}

import { createAssets } from '../assets/assets.ts';
import type { ReferencingText } from '../assets/references.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import { exportPages } from '../identity/account-export.ts';
import { assetBytes } from '../plans.ts';
import { readAssetReference } from '../platform/asset-reference.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import { createGuardedFetch } from '../platform/guarded-fetch/guarded-fetch.ts';
import * as templateUses from '../templates/repository/asset-use-repo.ts';
import * as videoUses from '../videos/templates/asset-use-repo.ts';
import { type Base, defineService } from './service.ts';

type AssetsDeps = Base & { readonly entitlements: Entitlements };

/** The account's own pictures, fonts, sounds and clips. */
export function wireAssets({ sql, blobs, audit, config, entitlements }: AssetsDeps) {
  const guarded = createGuardedFetch({ hosts: config.assetHosts, ...DOWNLOAD });
  const assets = createAssets({
    sql,
    blobs,
    audit,
    async fetchFile(url, signal) {
      try {
        return await guarded.fetchFile(url, signal);
      } catch (error) {
        if (!(error instanceof AssetBlocked)) throw error;
        const shown = { url: url.slice(0, 200), reason: error.reason };
        throw new Fault('validation_failed.asset_url', shown, { cause: error });
      }
    },
    async quotaOf(accountId) {
      const { hooks, sync } = await entitlements.of(accountId);
      return assetBytes({ hooks: hooks.plan, sync: sync.plan });
    },
    async textsOf(accountId): Promise<ReferencingText[]> {
      const mails = await templateUses.findAssetUses(sql, accountId);
      const films = await videoUses.findAssetUses(sql, accountId);
      return [
        ...mails.map(({ kind, name, found }) => ({ kind, name, references: found.map(nameIn) })),
        ...films.map(({ name, found }) => ({
          kind: 'video_template' as const,
          name,
          references: found.map(nameIn),
        })),
      ];
    },
  });
  return defineService({
    api: { assets },
    jobs: { hourly: { assets: assets.sweep } },
    exporters: [
      exportPages('assets', (accountId, page) => assets.list(accountId, { ...page, ...EVERYTHING })),
    ],
  });
}

/** What is sent in one answer is in memory; larger files come by a link or as a body. */
const DOWNLOAD = { maxBytes: 32 * 1024 * 1024, maxMs: 15_000, purpose: 'files of an account' };

const EVERYTHING = { unused: false, deleted: false };

/** The ID, path or content that a text names: of a public address, the content. */
function nameIn(found: string): string {
  const [, sha256] = /^([0-9a-f]{64})\//.exec(found) ?? [];
  return sha256 ?? readAssetReference(`asset:${found}`) ?? found;
}

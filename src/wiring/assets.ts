import { buffer } from 'node:stream/consumers';
import { publicPath } from '../assets/asset.ts';
import { createAssets } from '../assets/assets.ts';
import type { ReferencingText } from '../assets/references.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import { exportPages } from '../identity/accounts/account-export.ts';
import type { Caller } from '../identity/caller.ts';
import { assetBytes } from '../plans.ts';
import { readAssetReference } from '../platform/asset-reference.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import { type Asset, createGuardedFetch, type FetchAsset } from '../platform/guarded-fetch/guarded-fetch.ts';
import { type AssetKind, sniff } from '../platform/guarded-fetch/sniff.ts';
import { DEMO_PICTURES } from '../sync/demo/pictures.ts';
import * as templateUses from '../templates/repository/asset-use-repo.ts';
import { LIMITS } from '../videos/request.ts';
import * as videoUses from '../videos/templates/asset-use-repo.ts';
import { type Base, defineService } from './service.ts';

type AssetsDeps = Base & {
  readonly entitlements: Entitlements;
  readonly renewCaller: (caller: Caller) => Promise<Caller>;
};

/** The account's own pictures, fonts, sounds and clips. */
export function wireAssets({ sql, blobs, audit, config, now, entitlements, renewCaller }: AssetsDeps) {
  const origin = config.publicUrl?.replace(/\/+$/, '') ?? `http://${config.host}:${config.port}`;
  const guarded = createGuardedFetch({ hosts: config.assetHosts, ...DOWNLOAD });
  const assets = createAssets({
    sql,
    blobs,
    audit,
    now,
    renewCaller,
    origin,
    shipped: [...DEMO_PICTURES.values()].map((picture) => ({ ...picture, mediaType: 'image/webp' })),
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
    async publishedTextsOf(accountId) {
      const mails = await templateUses.findPublishedUses(sql, accountId);
      return mails.map(({ name, found }) => ({ kind: 'template', name, references: found.map(nameIn) }));
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
  const service = defineService({
    api: { assets },
    listeners: assets.listeners,
    jobs: { hourly: { assets: assets.sweep } },
    exporters: [
      exportPages('assets', (accountId, page) => assets.list(accountId, { ...page, ...EVERYTHING })),
    ],
  });
  return {
    ...service,
    /** The address of a picture of the demo store. */
    demoPictureAddress(name: string): string | undefined {
      const picture = DEMO_PICTURES.get(name);
      return picture && `${origin}${publicPath(picture.sha256, `${name}.webp`)}`;
    },
    /** Fetches what a page shows: from the library what is in it, whatever addresses the server may connect to. */
    withOwn:
      (fetchAsset: FetchAsset): FetchAsset =>
      async (url, options) => {
        const own = await assets.findPublic(sha256In(url, origin));
        if (own && own.bytes > largest(options.kinds)) throw new AssetBlocked('too_large');
        const opened = await own?.read();
        if (!own || !opened) return fetchAsset(url, options);
        return judged(await buffer(opened.stream), own.media_type, options.kinds);
      },
    /** As templates take it. */
    forTemplates: {
      find: assets.resolve,
      save: assets.saveBytes,
      async read(accountId: string, sha256: string) {
        const opened = await assets.read(accountId, sha256);
        return opened && buffer(opened.stream);
      },
    },
    /** The file of a reference. @throws AssetBlocked for one that is too large, or of another kind */
    async readReferenced(accountId: string, reference: string, kinds: readonly AssetKind[]) {
      const asset = (await assets.resolve(accountId, [reference])).get(reference);
      if (asset && asset.bytes > largest(kinds)) throw new AssetBlocked('too_large');
      const opened = asset && (await assets.read(accountId, asset.sha256));
      return asset && opened && judged(await buffer(opened.stream), asset.media_type, kinds);
    },
  };
}

/** How many bytes are read into memory. */
function largest(kinds: readonly AssetKind[]): number {
  return kinds.includes('video') ? LIMITS.clip.bytes : LIMITS.asset.bytes;
}

/** The content that one of our own public addresses is of; empty for any other address. */
function sha256In(url: string, origin: string): string {
  const path = url.startsWith(origin) ? url.slice(origin.length) : '';
  return /^\/a\/([0-9a-f]{64})\/[^/?#]+$/.exec(path)?.[1] ?? '';
}

/** As a file from elsewhere is: what it is used for must fit its bytes. */
async function judged(bytes: Buffer, stored: string, kinds: readonly AssetKind[]): Promise<Asset> {
  const mediaType = await sniff(bytes, stored, kinds);
  if (mediaType === undefined) throw new AssetBlocked('wrong_type');
  return { bytes, mediaType };
}

/** What is sent in one answer is in memory; larger files come by a link or as a body. */
const DOWNLOAD = { maxBytes: 32 * 1024 * 1024, maxMs: 15_000, purpose: 'files of an account' };

const EVERYTHING = { unused: false, deleted: false };

/** The ID, path or content that a text names: of a public address, the content. */
function nameIn(found: string): string {
  const [, sha256] = /^([0-9a-f]{64})\//.exec(found) ?? [];
  return sha256 ?? readAssetReference(`asset:${found}`) ?? found;
}

import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { isAssetPath } from '../../platform/asset-path.ts';
import { readAssetReference } from '../../platform/asset-reference.ts';
import { stableJson } from '../../platform/stable-json.ts';
import type { Library } from '../context.ts';
import { textOf } from '../importing/archive/archive.ts';
import { ARCHIVE_LIMITS } from '../importing/archive/limits.ts';
import type { ImportedAsset } from '../importing/imported-template.ts';
import { parseJson } from '../importing/sources/parse-export.ts';
import type { ReadFile } from './read-bundle.ts';

/** What the templates of a bundle refer to: `assets.json`, and each file under `assets/`. */
const LIST = 'assets.json';
const fileOf = (path: string): string => `assets/${path}`;

const BundledAsset = z.strictObject({
  id: z.string().regex(/^ast_[0-9a-z]{1,40}$/),
  path: z.string().refine(isAssetPath),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  alt: z.string().max(500),
  tags: z.array(z.string().max(50)).max(20),
});
const List = z.array(BundledAsset).max(20_000);

const REFERENCE = /asset:[^"'()\s<>,?#&;\\]+/gi;

/** Collects the references of texts, and adds what they name to a bundle. */
export function createAssetBundler(library: Library, accountId: string) {
  const references = new Set<string>();
  return {
    collect(text: string): void {
      for (const [address] of text.matchAll(REFERENCE)) references.add(readAssetReference(address) ?? '');
    },

    /**
     * In the order of their paths. Files too large for a bundle are left out.
     * @throws Fault insufficient_scope.bundle_assets when there are some and the caller may read none
     */
    async write(
      add: (path: string, content: string | Buffer) => Promise<void>,
      mayRead: boolean,
    ): Promise<void> {
      if (references.size === 0) return;
      const found = await library.find(accountId, [...references]);
      const files = [...new Map([...found.values()].map((file) => [file.path, file])).values()]
        .filter(({ bytes }) => bytes <= ARCHIVE_LIMITS.bundle.entryBytes)
        .sort((a, b) => (a.path < b.path ? -1 : 1));
      if (files.length > 0 && !mayRead)
        throw new Fault('insufficient_scope.bundle_assets', { scope: 'assets:read' });
      const list = files.map(({ id, path, sha256, alt, tags }) => ({ id, path, sha256, alt, tags }));
      if (list.length > 0) await add(LIST, stableJson(list));
      for (const { path, sha256 } of files) {
        const bytes = await library.read(accountId, sha256);
        if (bytes) await add(fileOf(path), bytes);
      }
    },
  };
}

/** The assets that a bundle brings. @throws Fault validation_failed.bundle */
export async function readBundledAssets(read: ReadFile): Promise<ImportedAsset[]> {
  const bytes = await read(LIST);
  if (!bytes) return [];
  const parsed = List.safeParse(parseJson(textOf(bytes, LIST), LIST));
  if (!parsed.success)
    throw new Fault('validation_failed.bundle', { where: LIST, reason: parsed.error.message.slice(0, 200) });
  return parsed.data.map((asset) => ({ ...asset, from: asset.path, read: () => read(fileOf(asset.path)) }));
}

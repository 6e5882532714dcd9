import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { Author, TemplateContext } from '../context.ts';
import type { ImportedAsset } from './imported-template.ts';

export type AssetNote = { readonly from: string; readonly warning: Warning };

/** Those of the assets that the account lacks. What it has at a path stays, with a note where that is another file. */
export async function planAssets(
  { library }: Pick<TemplateContext, 'library'>,
  author: Author,
  assets: readonly ImportedAsset[],
): Promise<{ readonly missing: readonly ImportedAsset[]; readonly notes: readonly AssetNote[] }> {
  const existing = await library.find(
    author.accountId,
    assets.map(({ path }) => path),
  );
  const notes: AssetNote[] = [];
  const missing: ImportedAsset[] = [];
  for (const asset of assets) {
    const there = existing.get(asset.path);
    if (there && asset.sha256 !== undefined && there.sha256 !== asset.sha256)
      notes.push({ from: asset.from, warning: { key: 'import_asset_kept', params: { path: asset.path } } });
    if (!there || asset.sha256 === undefined) missing.push(asset);
  }
  return { missing, notes };
}

/**
 * Stores what imported templates refer to; whatever becomes of them, an asset alone does no harm. Returns a note for each
 * that was not stored.
 */
export async function storeAssets(
  { library }: Pick<TemplateContext, 'library'>,
  author: Author,
  assets: readonly ImportedAsset[],
  signal: AbortSignal,
): Promise<AssetNote[]> {
  const notes: AssetNote[] = [];
  for (const asset of assets) {
    signal.throwIfAborted();
    const failed = await store(asset);
    if (failed) notes.push({ from: asset.from, warning: failed });
  }
  return notes;

  async function store({ read, from, path, id, alt, tags }: ImportedAsset): Promise<Warning | undefined> {
    const bytes = await read();
    try {
      if (!bytes) throw new Fault('not_found.asset_content');
      const described = {
        ...(id !== undefined && { id }),
        ...(alt !== undefined && { alt }),
        ...(tags && { tags }),
      };
      await library.save(author, bytes, { path, ...described });
      return undefined;
    } catch (error) {
      // Of one picture; a full disk or a database that is away concerns all.
      if (!(error instanceof Fault) || error.status >= 500) throw error;
      return { key: 'import_asset_failed', params: { file: from, code: error.code } };
    }
  }
}

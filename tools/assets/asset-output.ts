import { z } from 'zod';
import type { AssetUse as Use } from '../../src/assets/asset.ts';
import { AssetType, AssetUse, type Asset as StoredAsset } from '../../src/assets/asset.ts';
import type { Call } from '../contract/define.ts';

/** An asset in a response. `url` is public and never changes its content. */
export const Asset = z.object({
  id: z.string(),
  path: z.string(),
  reference: z.string().meta({ description: 'Address to use in templates, data and CSS' }),
  type: AssetType,
  media_type: z.string(),
  bytes: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
  duration: z.number().optional().meta({ description: 'Seconds' }),
  sha256: z.string().meta({ description: 'Of the stored bytes, after metadata was removed' }),
  alt: z.string(),
  tags: z.array(z.string()),
  url: z.string(),
  used_by: z.array(AssetUse),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  deleted_at: z.iso.datetime().optional(),
});

/** An asset as the caller sees it. */
export function presentAsset(
  { public_path, ...asset }: StoredAsset & { readonly used_by?: readonly Use[] },
  { baseUrl }: Pick<Call, 'baseUrl'>,
) {
  return {
    ...asset,
    reference: `asset:${asset.path}`,
    url: `${baseUrl}${public_path}`,
    used_by: asset.used_by ?? [],
  };
}

/** Whose change it is. */
export const authorOf = ({ caller }: Pick<Call, 'caller'>) => ({
  accountId: caller.accountId,
  actor: caller.actor,
});

/** What uses an asset, in a question: the first few. */
export function namesOf(users: readonly Use[]): string {
  const names = users.slice(0, 5).map(({ name }) => name);
  return users.length > names.length ? `${names.join(', ')}, …` : names.join(', ');
}

import type { Output } from '../../api/operation.ts';
import type { listAssets } from '../../api/operations.gen.ts';
import { ownPath } from '../../api/own-path.ts';

export type Asset = Output<typeof listAssets>['items'][number];

/** A small picture of a picture: the server makes it once. SVG is small as it is. */
export function thumbnailOf({ url, media_type }: Pick<Asset, 'url' | 'media_type'>, width: number): string {
  const path = ownPath(url);
  return media_type === 'image/svg+xml' ? path : `${path}?w=${width}&format=webp`;
}

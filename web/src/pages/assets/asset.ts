import type { Output } from '../../api/operation.ts';
import type { listAssets } from '../../api/operations.gen.ts';
import { ownPath } from '../../api/own-path.ts';
import { number } from '../../i18n/dates.ts';

export type Asset = Output<typeof listAssets>['items'][number];

/** A small picture of a picture: the server makes it once. SVG is small as it is. */
export function thumbnailOf({ url, media_type }: Pick<Asset, 'url' | 'media_type'>, width: number): string {
  const path = ownPath(url);
  return media_type === 'image/svg+xml' ? path : `${path}?w=${width}&format=webp`;
}

/** Bytes as people read them: 12 KB, 1.4 MB. */
export function sizeOf(bytes: number): string {
  const steps = [
    [1024 ** 3, 'GB'],
    [1024 ** 2, 'MB'],
    [1024, 'KB'],
  ] as const;
  const [step, unit] = steps.find(([least]) => bytes >= least) ?? [1024, 'KB'];
  const size = bytes / step;
  return `${number(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))} ${unit}`;
}

import { useLocation, useSearch } from 'wouter';
import type { Input } from '../../api/operation.ts';
import type { listAssets } from '../../api/operations.gen.ts';

export const SHOWN = ['all', 'unused', 'deleted'] as const;
export const TYPES = ['image', 'font', 'audio', 'video'] as const;

const FIELDS = ['q', 'type', 'folder', 'tag', 'show'] as const;

export type AssetFilter = ReturnType<typeof useAssetFilter>;

/** What of the library is shown, as the address says it. Another choice begins at the first page. */
export function useAssetFilter() {
  const [path, go] = useLocation();
  const params = new URLSearchParams(useSearch());
  const [q, type, folder, tag, show] = FIELDS.map((field) => params.get(field) ?? '');
  const kind = TYPES.find((one) => one === type);
  const shown = SHOWN.find((one) => one === show) ?? 'all';
  const wanted: Input<typeof listAssets> = {
    ...(q && { q }),
    ...(kind && { type: kind }),
    ...(folder && { folder }),
    ...(tag && { tag }),
    ...(shown === 'unused' && { unused: true }),
    ...(shown === 'deleted' && { deleted: true }),
  };
  return {
    q: q ?? '',
    kind,
    folder: folder ?? '',
    tag: tag ?? '',
    shown,
    wanted,
    isChosen: Object.keys(wanted).length > 0,
    set(field: (typeof FIELDS)[number], value: string): void {
      const next = new URLSearchParams(location.search);
      next.delete('cursor');
      next.delete('asset');
      if (value === '') next.delete(field);
      else next.set(field, value);
      go(next.size === 0 ? path : `${path}?${next}`, { replace: true });
    },
  };
}

import { useLocation, useSearch } from 'wouter';

/** One field of the address's query: what is chosen on a page is in its link. An empty value removes it. */
export function useSearchParam(name: string): readonly [string, (value: string) => void] {
  const [path, go] = useLocation();
  const search = useSearch();
  const set = (value: string) => {
    const params = new URLSearchParams(location.search);
    if (value === '') params.delete(name);
    else params.set(name, value);
    go(params.size === 0 ? path : `${path}?${params}`, { replace: true });
  };
  return [new URLSearchParams(search).get(name) ?? '', set];
}

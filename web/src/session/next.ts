/** Where a sign-in leads: a page of ours, or the dashboard. An address elsewhere is not followed. */
export function nextOf(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/dashboard';
  const target = URL.parse(next, location.origin);
  // Without its dots, `/.//x` is the host x.
  const isOurs = target?.origin === location.origin && !target.pathname.startsWith('//');
  return isOurs && next.startsWith('/') ? `${target.pathname}${target.search}${target.hash}` : '/dashboard';
}

/** The sign-in that leads back here. */
export function signInPath(): string {
  return `/login?next=${encodeURIComponent(`${location.pathname}${location.search}`)}`;
}

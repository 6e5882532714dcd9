/**
 * An address of the server as a path on the origin that the page came from: a server behind a proxy may name another, which
 * the page's policy refuses.
 */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

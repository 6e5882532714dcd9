const DOMAIN = /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/;
const HANDLE = /^[a-z0-9][a-z0-9-]{0,59}$/;

/**
 * The domain of a shop in what a person pastes: its name, its address, or a page of its admin. Undefined where there is
 * none to be seen.
 */
export function shopDomain(pasted: string): string | undefined {
  const address = pasted
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  const [host = '', folder = '', handle = ''] = address.split(/[/?#]/);
  if (host === 'admin.shopify.com' && folder === 'store' && HANDLE.test(handle))
    return `${handle}.myshopify.com`;
  if (DOMAIN.test(host)) return host;
  return HANDLE.test(host) ? `${host}.myshopify.com` : undefined;
}

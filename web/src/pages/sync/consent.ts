import { useEffect, useState } from 'react';
import { call, send } from '../../api/call.ts';
import { ApiFault } from '../../api/fault.ts';
import type { Input } from '../../api/operation.ts';
import { connectGoogle, connectShopify } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { token } from '../../session/session.ts';
import { toast } from '../../ui/toast.ts';

/** Leads the person to the page of Google or Shopify on which they consent, and from there back to this page. */
export function useConsent() {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault | null>(null);
  const go = async (link: () => Promise<string>) => {
    setBusy(true);
    setFault(null);
    try {
      location.assign(await begin(await link()));
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      setFault(error);
      setBusy(false);
    }
  };
  return {
    isBusy,
    fault,
    google: (input: Input<typeof connectGoogle>) =>
      go(async () => (await call(connectGoogle, { ...input, return_to: '/sheets' })).url),
    shopify: (shop: string) =>
      go(async () => (await call(connectShopify, { shop, return_to: '/stores' })).url),
  };
}

/**
 * Who is signed in goes straight to the provider. Where the sign-in is too old, or the server asks for none, the link has a
 * page of its own.
 */
async function begin(link: string): Promise<string> {
  const { pathname } = new URL(link);
  if (token() === undefined) return pathname;
  try {
    const { url } = await (await send('POST', pathname, {})).json();
    return String(url);
  } catch (error) {
    if (error instanceof ApiFault && (error.status === 401 || error.status === 403)) return pathname;
    throw error;
  }
}

/** Says what was connected when the person is back, which the address tells. */
export function useReturn(nameOf: (id: string) => string | undefined): void {
  const t = useText();
  const id = new URLSearchParams(location.hash.slice(1)).get('connected');
  const name = id === null ? undefined : nameOf(id);
  useEffect(() => {
    if (name === undefined) return;
    history.replaceState(null, '', `${location.pathname}${location.search}`);
    toast(t('sync.connected', { name }));
  }, [name, t]);
}

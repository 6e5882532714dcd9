import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/operation.ts';
import { getBillingSummary, getProfile, getUsage, listInvoices } from '../../api/operations.gen.ts';

type Summary = Output<typeof getBillingSummary>;

/** What was on its way to be bought when the person left for the payment page. */
type Purchase = {
  readonly app: Summary['app'];
  readonly plan?: string;
  /** The credits there were before. */
  readonly credits?: number;
};

const KEPT = 'purchase';
const POLL_MS = 2_000;
const POLLS = 15;

/** Leaves for the page where a person pays. */
export function leaveToPay(url: string, purchase: Purchase): void {
  sessionStorage.setItem(KEPT, JSON.stringify(purchase));
  location.assign(url);
}

function takePurchase(): Purchase {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return kept === null ? { app: 'hooks' } : (JSON.parse(kept) as Purchase);
}

function hasArrived({ plan, credits }: Purchase, summary: Summary): boolean {
  if (credits !== undefined) return summary.credits > credits;
  return plan === undefined ? summary.status === 'active' : summary.plan === plan;
}

export type Return =
  | { readonly at: 'nowhere' }
  | { readonly at: 'waiting' }
  | { readonly at: 'late' }
  | { readonly at: 'done'; readonly summary: Summary };

/** After a payment: asks until the purchase is in the account, half a minute at most. The address forgets it at once. */
export function useReturn(): Return {
  const queries = useQueryClient();
  const [arrival] = useState(() => {
    const params = new URLSearchParams(location.search);
    return params.get('success') === 'true'
      ? { session: params.get('session_id') ?? '', purchase: takePurchase() }
      : undefined;
  });
  const [state, setState] = useState<Return>({ at: arrival ? 'waiting' : 'nowhere' });
  useEffect(() => {
    if (arrival === undefined) return;
    history.replaceState(null, '', location.pathname);
    const leaving = new AbortController();
    void ask(arrival, leaving.signal, setState).then(() => {
      for (const read of [getBillingSummary, getProfile, getUsage, listInvoices])
        void queries.invalidateQueries({ queryKey: [read] });
    });
    return () => leaving.abort();
  }, [arrival, queries]);
  return state;
}

async function ask(
  { session, purchase }: { readonly session: string; readonly purchase: Purchase },
  signal: AbortSignal,
  tell: (state: Return) => void,
): Promise<void> {
  for (let poll = 0; poll < POLLS && !signal.aborted; poll++) {
    const input = { app: purchase.app, ...(session !== '' && { session_id: session }) };
    // A failure now may be none in two seconds.
    const summary = await call(getBillingSummary, input, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (summary && hasArrived(purchase, summary)) return tell({ at: 'done', summary });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (!signal.aborted) tell({ at: 'late' });
}

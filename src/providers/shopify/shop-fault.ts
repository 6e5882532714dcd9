import { Fault } from '../../errors.ts';

const REASON_CHARS = 500;

/** The faults of a store. What they quote of its answers has been rid of the token where it was read: see shop-fetch.ts. */
export function unauthorized(domain: string): Fault {
  return new Fault('store_unauthorized.token', { domain });
}

export function frozen(domain: string): Fault {
  return new Fault('store_frozen.plan', { domain });
}

export function missing(domain: string): Fault {
  return new Fault('store_not_found.domain', { domain });
}

export function noLocation(domain: string, location: string): Fault {
  return new Fault('store_not_found.location', { domain, location });
}

export function refused(domain: string, reason: string): Fault {
  return new Fault('store_refused.request', { domain, reason: reason.slice(0, REASON_CHARS) });
}

/** `about` is for the log: what the store did instead of answering. */
export function unavailable(domain: string, about: string): Fault {
  return new Fault('store_unavailable.no_answer', { domain }, { cause: new Error(`the store: ${about}`) });
}

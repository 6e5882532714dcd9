import type { RequestHandler, Response } from 'express';
import type { App } from '../src/app.ts';
import type { Caller } from '../src/identity/caller.ts';
import type { RateName } from '../src/platform/rates.ts';
import type { RateState } from '../src/rate-limits/rate-limits.ts';

/** Limits requests by the address they come from, for routes that know no account. Addresses are kept as a hash of the day. */
export function createAddressLimit({
  rateLimits,
  anonymousCallers,
}: Pick<App, 'rateLimits' | 'anonymousCallers'>) {
  return (rateOf: (method: string, path: string) => RateName): RequestHandler =>
    async (req, res, next) => {
      const { visitor = '' } = await anonymousCallers.callerAt(req.ip);
      await rateLimits.requireWithin(rateOf(req.method, req.path), visitor, (state) =>
        setRateLimitHeaders(res, state),
      );
      next();
    };
}

/** Limits requests of an account, for routes that are no tool's. The local owner has no limit. @throws Fault rate_limited.calls */
export async function limitAccount(
  { rateLimits }: Pick<App, 'rateLimits'>,
  rate: RateName,
  { via, accountId }: Caller,
  res: Response,
): Promise<void> {
  if (via === 'local') return;
  await rateLimits.requireWithin(rate, accountId, (state) => setRateLimitHeaders(res, state));
}

/** How the caller stands, in the form of draft-ietf-httpapi-ratelimit-headers. */
export function setRateLimitHeaders(res: Response, state: RateState): void {
  if (res.headersSent) return;
  const { name, limit, windowSeconds, remaining, resetSeconds } = state;
  res.setHeader('RateLimit-Policy', `"${name}";q=${limit};w=${windowSeconds}`);
  res.setHeader('RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
}

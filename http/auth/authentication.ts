import type { Request } from 'express';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { localCaller } from '../../src/identity/accounts/accounts.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { toOperatorFault } from '../../src/identity/credentials.ts';
import { resourcesOf } from '../oauth/metadata.ts';
import { setRateLimitHeaders } from '../rate-limit.ts';
import { baseUrlOf } from '../request.ts';

/**
 * Says who is calling, from what the request carries. Without a credential that is an anonymous visitor where `anonymous`
 * says the operation takes one. `whileDeleted`: the operation works in a deleted account too. @throws Fault unauthenticated, rate_limited.calls for too many wrong ones
 */
export type Authenticate = (req: Request, anonymous?: boolean, whileDeleted?: boolean) => Promise<Caller>;

/**
 * Mode `open` lets a call without a credential act as the local owner; a wrong credential is refused in both modes, and counts
 * against the limit of calls without one from its address.
 */
export function createAuthenticate(
  app: Pick<App, 'credentials' | 'accounts' | 'anonymousCallers' | 'rateLimits'>,
  { authMode: mode, publicUrl }: Pick<Config, 'authMode' | 'publicUrl'>,
): Authenticate {
  return async (req, anonymous = false, whileDeleted = false) => {
    const header = authorizationOf(req);
    if (header !== undefined) return resolve(header, req, whileDeleted);
    if (mode === 'open') return localCaller((await app.accounts.local()).id);
    if (anonymous) return app.anonymousCallers.callerAt(req.ip);
    throw new Fault('unauthenticated.missing');
  };

  async function resolve(header: string, req: Request, whileDeleted: boolean): Promise<Caller> {
    const origin = {
      address: req.ip,
      userAgent: req.get('user-agent'),
      resources: resourcesOf(baseUrlOf(req, publicUrl), `${req.baseUrl}${req.path}`),
      account: req.get('stallhand-account'),
      whileDeleted,
    };
    try {
      const caller = await app.credentials.resolve(bearerToken(header), origin);
      // A refusal tells a program what to ask for: what it has, and what it lacks.
      if (caller.via === 'oauth' && req.res) req.res.locals['appScopes'] = caller.scopes;
      return caller;
    } catch (error) {
      if (error instanceof Fault && error.status === 401) await countGuess(req);
      // Only the owner of this machine can call an open server.
      throw mode === 'open' ? toOperatorFault(error) : error;
    }
  }

  /** Limits wrong tokens by address. A valid token is not counted, and works however many wrong ones came from there. */
  async function countGuess({ ip, res }: Request): Promise<void> {
    const { visitor = '' } = await app.anonymousCallers.callerAt(ip);
    await app.rateLimits.requireWithin('public', visitor, (state) => res && setRateLimitHeaders(res, state));
  }
}

/** @throws Fault unauthenticated.wrong when there are several: another reader of the request could go by another one */
function authorizationOf(req: Request): string | undefined {
  const [header, ...others] = req.headersDistinct['authorization'] ?? [];
  if (others.length > 0) throw new Fault('unauthenticated.wrong');
  return header;
}

/** @throws Fault unauthenticated.wrong when it is no bearer token */
export function bearerToken(header: string): string {
  const [scheme = '', token = '', ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer' || token === '' || rest.length > 0)
    throw new Fault('unauthenticated.wrong');
  return token;
}

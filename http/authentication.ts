import type { Request } from 'express';
import type { App } from '../src/app.ts';
import { Fault } from '../src/errors.ts';
import { localCaller } from '../src/identity/accounts.ts';
import type { Caller } from '../src/identity/caller.ts';

/** Says who is calling, from what the request carries. @throws Fault unauthenticated */
export type Authenticate = (req: Request) => Promise<Caller>;

/** `open` lets a call without a credential act as the local owner; a wrong credential is refused in both modes. */
export function createAuthenticate(app: App, mode: 'open' | 'required'): Authenticate {
  return async (req) => {
    const header = req.headers.authorization;
    if (header !== undefined) return app.keys.resolve(bearerToken(header));
    if (mode === 'required') throw new Fault('unauthenticated.missing');
    return localCaller((await app.accounts.local()).id);
  };
}

function bearerToken(header: string): string {
  const [scheme = '', token = '', ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer' || token === '' || rest.length > 0)
    throw new Fault('unauthenticated.wrong');
  return token;
}

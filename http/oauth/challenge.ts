import type { Request } from 'express';
import type { Config } from '../../src/config.ts';
import type { Fault } from '../../src/errors.ts';
import { APP_SCOPES, type Scope } from '../../src/identity/caller.ts';
import { baseUrlOf } from '../request.ts';
import { RESOURCE_METADATA, resourcesOf, SCOPES_TO_ASK } from './metadata.ts';

/** The header WWW-Authenticate for a refusal: how a program signs in, or which scope it lacks. */
export type Challenge = (req: Request, fault: Fault) => string | undefined;

const REALM = 'Bearer realm="stallhand"';

/** An open server needs no sign-in, so its challenge names no place for it. */
export function createChallenge({ authMode, publicUrl }: Pick<Config, 'authMode' | 'publicUrl'>): Challenge {
  return (req, fault) => {
    if (fault.status === 401) return authMode === 'open' ? REALM : signInChallenge(req);
    if (authMode === 'open' || fault.code !== 'insufficient_scope') return undefined;
    return parts({ ...metadataOf(req), error: 'insufficient_scope', scope: scopesFor(req, fault) });
  };

  function signInChallenge(req: Request): string {
    // RFC 6750: an error only for a credential that was sent.
    const error = req.headers.authorization === undefined ? undefined : 'invalid_token';
    return parts({ ...metadataOf(req), scope: SCOPES_TO_ASK.join(' '), error });
  }

  function metadataOf(req: Request) {
    const base = baseUrlOf(req, publicUrl);
    const { pathname } = new URL(req.originalUrl, 'http://nowhere.invalid');
    const isMcp = resourcesOf(base, pathname).includes(`${base}/mcp`);
    return { resource_metadata: `${base}${RESOURCE_METADATA}${isMcp ? '/mcp' : ''}` };
  }
}

/** What a program has and what it lacks: it asks again for exactly this. Without what no program can have. */
function scopesFor({ res }: Request, { params }: Fault): string | undefined {
  const lacking = APP_SCOPES.find((scope) => scope === params['scope']);
  if (lacking === undefined) return undefined;
  const held = (res?.locals['appScopes'] ?? []) as readonly Scope[];
  return [...new Set([...held, lacking])].join(' ');
}

function parts(values: Readonly<Record<string, string | undefined>>): string {
  const said = Object.entries(values).flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []));
  return [REALM, ...said].join(', ');
}

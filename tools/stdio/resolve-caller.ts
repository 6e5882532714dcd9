import type { App } from '../../src/app.ts';
import { localCaller } from '../../src/identity/accounts/accounts.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { toOperatorFault } from '../../src/identity/credentials.ts';

/**
 * Who the calls of a process act as: the owner of its MCP_API_KEY, or the local owner.
 * @throws Fault unauthenticated
 */
export async function resolveCaller(app: App, key: string | undefined): Promise<Caller> {
  if (key === undefined) return localCaller((await app.accounts.local()).id);
  return app.credentials.resolve(key, {}).catch((error: unknown) => {
    throw toOperatorFault(error);
  });
}

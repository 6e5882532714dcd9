import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type ServerParts } from '../../http/server.ts';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES, type Scope } from '../../src/identity/caller.ts';
import { newBareAccount, PRODUCT, silentLog } from './app.ts';
import { newStarterAccount } from './starter-accounts.ts';

export type TestServer = { readonly url: string; close(): Promise<void> };

/** Serves every HTTP transport of the product on a port of its own. */
export async function startTestServer(
  app: App,
  env: Record<string, string> = {},
  parts: Partial<ServerParts> = {},
): Promise<TestServer> {
  const config = readConfig({ AUTH_MODE: 'required', MCP_ENABLED: 'true', ...env });
  const server = await createServer({
    ...{ app, config, registry: PRODUCT, log: silentLog, version: '1.2.3' },
    ...parts,
  });
  const http = createHttpServer(server.express).listen(0, '127.0.0.1');
  await once(http, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A new account with its starters, and a key to it. */
export async function newKey(app: App, scopes: readonly Scope[] = SCOPES) {
  const accountId = await newStarterAccount(app, 'test');
  const { key } = await app.keys.create(accountId, 'test', scopes, null);
  return { accountId, key };
}

/** A key as `newKey` makes it, to an account without templates: starters take longer to write than most tests to run. */
export async function newBareKey(app: App, scopes: readonly Scope[] = SCOPES) {
  const accountId = await newBareAccount(app);
  const { key } = await app.keys.create(accountId, 'test', scopes, null);
  return { accountId, key };
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
type Send = { body?: unknown; headers?: Record<string, string> };

/** A REST client with a key. */
export function useRest(url: string, key?: string) {
  return async (method: string, path: string, { body, headers = {} }: Send = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /(^|[/+])json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : { text },
    };
  };
}

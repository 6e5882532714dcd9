import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createFaultHandler } from '../../../http/faults.ts';
import { createHostGuard } from '../../../http/host-guard.ts';
import { createMcpRoutes, type McpRouteParts } from '../../../http/mcp/mcp.ts';
import { identifyRequest } from '../../../http/request.ts';
import { Fault } from '../../../src/errors.ts';
import { type Caller, SCOPES } from '../../../src/identity/caller.ts';
import { createLog } from '../../../src/platform/log.ts';
import { plainVoice } from '../../../src/voice.ts';
import type { Tool } from '../../../tools/contract/define.ts';
import { createRegistry, type Registry } from '../../../tools/contract/registry.ts';
import { createMetaTools } from '../../../tools/meta/index.ts';
import { noApp } from '../../support/no-app.ts';

/** Who the tests call as, by the key they send. */
const CALLERS: Readonly<Record<string, Caller>> = {
  'key-of-ana': { accountId: 'acc_ana', actor: 'ana', scopes: SCOPES, via: 'api_key' },
  'other-key-of-ana': { accountId: 'acc_ana', actor: 'ana', scopes: SCOPES, via: 'api_key' },
  'reading-key-of-ana': { accountId: 'acc_ana', actor: 'ana', scopes: ['templates:read'], via: 'api_key' },
  'key-of-ben': { accountId: 'acc_ben', actor: 'ben', scopes: SCOPES, via: 'api_key' },
};

/** The tools given, and those that find and run them. */
export function registryOf(tools: readonly Tool[]): Registry {
  return createRegistry([...tools, ...createMetaTools(tools)]);
}

/** Who a request comes from, by the key that it sends. */
export const authenticateAs =
  (callers: Readonly<Record<string, Caller>>): McpRouteParts['authenticate'] =>
  async (req) => {
    const key = req.get('Authorization')?.replace('Bearer ', '');
    if (key === undefined) throw new Fault('unauthenticated.missing');
    const caller = callers[key];
    if (!caller) throw new Fault('unauthenticated.wrong');
    return caller;
  };

export const authenticate = authenticateAs(CALLERS);

export type Running = { url: string; close(): Promise<void> };

/** Starts the MCP transports on their own port. Accepts the keys above unless `authenticate` is given. */
export async function startServer(
  parts: Pick<McpRouteParts, 'registry'> &
    Partial<
      Pick<
        McpRouteParts,
        'app' | 'bound' | 'limits' | 'authenticate' | 'extension' | 'changes' | 'slowCallMs'
      >
    >,
): Promise<Running> {
  const language = 'en';
  const log = createLog('silent');
  const mcp = await createMcpRoutes({
    // The tools of these tests use nothing of the app.
    app: noApp,
    authenticate,
    language,
    log,
    version: '1.2.3',
    ...parts,
  });
  const app = express()
    .use(identifyRequest)
    .use(
      createHostGuard({
        host: '127.0.0.1',
        loopback: true,
        publicUrl: undefined,
        allowedHosts: [],
        allowedOrigins: [],
      }),
    )
    .use(mcp.router)
    .use(createFaultHandler({ log, language, voice: plainVoice }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await mcp.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

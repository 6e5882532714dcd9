import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import express from 'express';
import { createFaultHandler } from '../../http/faults.ts';
import { createHostGuard } from '../../http/host-guard.ts';
import { createMcpRoutes } from '../../http/mcp.ts';
import { identifyRequest } from '../../http/request.ts';
import type { App } from '../../src/app.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetaTools } from '../../tools/meta/index.ts';
import { createRegistry } from '../../tools/registry.ts';
import { DEFINED_TOOLS } from './fixtures/defined-tools.ts';
import { conformanceExtension } from './fixtures/index.ts';

/** The product's MCP doors, catalogue and answers, with the tools, resources and prompts the official suite calls. */
export async function startConformanceServer(): Promise<{ url: string; close(): Promise<void> }> {
  const language = 'en';
  const log = createLog('silent');
  const changes = new InMemoryServerEventBus();
  const mcp = await createMcpRoutes({
    // The fixture's tools use nothing of the app.
    app: {} as App,
    registry: createRegistry([...DEFINED_TOOLS, ...createMetaTools(DEFINED_TOOLS)]),
    authenticate: async () => ({ accountId: 'acc_suite', actor: 'suite', scopes: SCOPES, via: 'local' }),
    language,
    log,
    version: '0.0.0',
    extension: conformanceExtension(changes),
    changes,
  });
  const doors = express()
    .use(identifyRequest)
    .use(createHostGuard({ host: '127.0.0.1', loopback: true, publicUrl: undefined, allowedHosts: [] }))
    .use(mcp.router)
    .use(createFaultHandler({ log, language }));
  const server = createServer(doors).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await mcp.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

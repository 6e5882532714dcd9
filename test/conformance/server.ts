import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { SCOPES } from '../../src/identity/caller.ts';
import { type Running, registryOf, startServer } from '../mcp/support/server.ts';
import { DEFINED_TOOLS } from './fixtures/defined-tools.ts';
import { conformanceExtension } from './fixtures/index.ts';

/** Serves the product's MCP transports with the tools, resources and prompts the official suite calls. */
export async function startConformanceServer(): Promise<Running> {
  const changes = new InMemoryServerEventBus();
  const { url, close } = await startServer({
    registry: registryOf(DEFINED_TOOLS),
    authenticate: async () => ({ accountId: 'acc_suite', actor: 'suite', scopes: SCOPES, via: 'local' }),
    extension: conformanceExtension(changes),
    changes,
  });
  return { url: `${url}/mcp`, close };
}

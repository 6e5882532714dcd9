import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { type Running, registryOf, startServer } from '../mcp/support/server.ts';
import { newBareCaller, openTestApp, silentLog } from '../support/app.ts';
import { DEFINED_TOOLS } from './fixtures/defined-tools.ts';
import { conformanceExtension } from './fixtures/index.ts';
import { TASK_TOOLS } from './fixtures/task-tools.ts';

/** Serves the product's MCP transports with the tools, resources and prompts the official suite calls. */
export async function startConformanceServer(): Promise<Running> {
  const changes = new InMemoryServerEventBus();
  const app = await openTestApp();
  const caller = await newBareCaller(app, 'suite');
  const registry = registryOf([...DEFINED_TOOLS, ...TASK_TOOLS]);
  await app.jobs.start({ run: createRunJob({ app, registry, log: silentLog }) });
  const { url, close } = await startServer({
    app,
    registry,
    authenticate: async () => caller,
    extension: conformanceExtension(changes, { app, caller }),
    changes,
  });
  return {
    url: `${url}/mcp`,
    async close() {
      await close();
      await app.close();
    },
  };
}

import { type App, createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { localCaller } from '../src/identity/accounts.ts';
import type { Caller } from '../src/identity/caller.ts';
import { toOperatorFault } from '../src/identity/credentials.ts';
import { createLog } from '../src/platform/log.ts';
import { version } from '../src/version.ts';
import { explainFailure } from './commands/command.ts';
import { loadPlugins } from './contract/plugins.ts';
import { productRegistry } from './index.ts';
import { serveStdioMcp } from './mcp/serve-stdio.ts';
import { createVideoPresenter } from './videos/video-output.ts';

// MCP over standard input and output, started by the client that uses it and ended by closing standard input.
try {
  await serve(readConfig());
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
}

async function serve(config: Config): Promise<void> {
  const { defaultLanguage: locale, toolSelection: bound, publicUrl } = config;
  const log = createLog(config.logLevel);
  const app = await createApp({ config, log });
  try {
    const caller = await callerOf(app, config.mcpApiKey);
    const plugins = await loadPlugins(config.toolsPath);
    const registry = productRegistry(plugins);
    const baseUrl = publicUrl ?? `http://${config.host}:${config.port}`;
    const mcp = serveStdioMcp({ app, registry, caller, locale, baseUrl, log, version, bound });
    process.once('SIGTERM', mcp.close).once('SIGINT', mcp.close);
    // With the embedded database no other process could carry runs out, or make videos.
    void app.sync.start();
    void app.videos.start();
    app.webhooks.start({ presentVideo: createVideoPresenter(app.videos.links) });
    await mcp.closed;
  } finally {
    await app.close();
  }
}

async function callerOf(app: App, key: string | undefined): Promise<Caller> {
  if (key === undefined) return localCaller((await app.accounts.local()).id);
  return app.credentials.resolve(key, {}).catch((error: unknown) => {
    throw toOperatorFault(error);
  });
}

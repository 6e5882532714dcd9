import { type App, createApp } from '../../src/app.ts';
import { localCaller } from '../../src/identity/accounts.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { toOperatorFault } from '../../src/identity/credentials.ts';
import { version } from '../../src/version.ts';
import { serveStdioMcp } from '../mcp/serve-stdio.ts';
import type { Partner, PartnerEvents } from '../mcp/stdio/conversation.ts';
import { startInProcess } from '../mcp/stdio/in-process.ts';
import { createVideoPresenter } from '../videos/video-output.ts';
import type { PartnerParts } from './open-partner.ts';

/**
 * Opens the product in this process, as a partner of its conversation.
 * @throws Fault unavailable.database_locked when another process holds the data, unauthenticated for a wrong MCP_API_KEY
 */
export async function openOwnPartner(parts: PartnerParts, events: PartnerEvents): Promise<Partner> {
  const { config, log, registry } = parts;
  const app = await createApp({ config, log });
  try {
    const caller = await callerOf(app, config.mcpApiKey);
    const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const { defaultLanguage: locale, toolSelection: bound } = config;
    const served = { app, registry, caller, locale, baseUrl, log, version, bound };
    const partner = await startInProcess((transport) => serveStdioMcp({ ...served, transport }), events);
    // With the embedded database no other process could carry runs out, or make videos.
    void app.sync.start();
    void app.videos.start();
    app.webhooks.start({ presentVideo: createVideoPresenter(app.videos.links) });
    return {
      send: partner.send,
      async close() {
        await partner.close();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function callerOf(app: App, key: string | undefined): Promise<Caller> {
  if (key === undefined) return localCaller((await app.accounts.local()).id);
  return app.credentials.resolve(key, {}).catch((error: unknown) => {
    throw toOperatorFault(error);
  });
}

import { createApp } from '../../src/app.ts';
import { openTracing } from '../../src/platform/tracing/open-tracing.ts';
import { version } from '../../src/version.ts';
import { createRunJob } from '../jobs/run-job.ts';
import { serveStdioMcp } from '../mcp/serve-stdio.ts';
import type { Partner, PartnerEvents } from '../mcp/stdio/conversation.ts';
import { startInProcess } from '../mcp/stdio/in-process.ts';
import { createVideoPresenter } from '../videos/video-output.ts';
import { serveFiles } from './file-server.ts';
import { hostGuests } from './host-guests.ts';
import type { PartnerParts } from './open-partner.ts';
import { resolveCaller } from './resolve-caller.ts';
import { withSaving } from './saving-tools.ts';

/** A client that has closed its end ends this process soon: so long guests may wait for their answers, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/**
 * Opens the product in this process, as a partner of its conversation, and for other processes that need the same data.
 * @throws Fault unavailable.database_locked when another process holds the data, unauthenticated for a wrong MCP_API_KEY
 */
export async function openOwnPartner(parts: PartnerParts, events: PartnerEvents): Promise<Partner> {
  const { config, log, registry, leave } = parts;
  const tracing = await openTracing({ settings: config.tracing, version, log: () => log });
  const app = await createApp({ config, log, tracing });
  try {
    const caller = await resolveCaller(app, config.mcpApiKey);
    const { defaultLanguage: locale, toolSelection: bound, publicUrl, outputDir } = config;
    const home = publicUrl ?? `http://${config.host}:${config.port}`;
    // A public server has the files too where it has the database.
    const files = publicUrl === undefined ? await serveFiles(app, home, log) : undefined;
    const baseUrl = files?.url ?? home;
    const tools = withSaving(registry, { outputDir, isPublic: publicUrl !== undefined });
    const served = { app, registry: tools, caller, locale, baseUrl, log, version, bound };
    const host = await hostGuests({ app, config, registry, log, baseUrl, leave });
    const partner = await startInProcess((transport) => serveStdioMcp({ ...served, transport }), events);
    // With the embedded database no other process could do jobs, carry runs out, or make videos.
    void app.jobs.start({ run: createRunJob({ app, registry, log }) });
    void app.sync.start();
    void app.videos.start();
    app.webhooks.start({ presentVideo: createVideoPresenter(app.videos.links) });
    return {
      send: partner.send,
      async close() {
        await host.close(LAST_ANSWERS_MS);
        await partner.close();
        files?.close();
        await app.close();
        await tracing.close();
      },
    };
  } catch (error) {
    await app.close();
    await tracing.close();
    throw error;
  }
}

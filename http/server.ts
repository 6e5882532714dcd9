import express, { type Express } from 'express';
import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { Fault } from '../src/errors.ts';
import type { FetchJson } from '../src/platform/guarded-fetch/guarded-fetch.ts';
import type { Log } from '../src/platform/log.ts';
import type { Registry } from '../tools/contract/registry.ts';
import { restVoice } from '../tools/contract/rest-voice.ts';
import { createMultipartUpload } from './assets/multipart.ts';
import { createPublicAssets } from './assets/public-files.ts';
import { createUploadLinks } from './assets/upload-links.ts';
import { createAuthRoutes } from './auth/auth.ts';
import { createAuthenticate } from './auth/authentication.ts';
import { createInvitationRoutes } from './auth/invitations.ts';
import { createConfigRoutes, createDescribeServer } from './config.ts';
import { createConnectRoutes } from './connect/connect.ts';
import { createFaultHandler } from './faults.ts';
import { createFileRoutes } from './files/files.ts';
import { createPreviewFiles } from './files/previews.ts';
import { createHostGuard } from './host-guard.ts';
import { createJobEvents } from './jobs/events.ts';
import { createStateEvents } from './jobs/state-events.ts';
import { createAcceptPassed } from './mcp/accept-passed.ts';
import { createMetricsRoute, createMetricsServer } from './metrics.ts';
import { createChallenge } from './oauth/challenge.ts';
import { createOauthRoutes } from './oauth/oauth.ts';
import { createDocuments } from './openapi/documents.ts';
import { createProbes } from './probes.ts';
import { createAddressLimit } from './rate-limit.ts';
import { identifyRequest } from './request.ts';
import { createFacade, methodsOf } from './rest/rest.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { createRunEvents } from './sync/events.ts';
import { createRequestTracing } from './tracing.ts';
import { createVideoRoutes } from './videos/videos.ts';
import { createWeb } from './web/web.ts';
import { createWebhookRoutes, WEBHOOK_PATHS } from './webhooks.ts';

export type ServerParts = {
  readonly app: App;
  readonly config: Config;
  readonly registry: Registry;
  readonly log: Log;
  readonly version: string;
  /** Gets what OAuth clients publish about themselves; by default from public addresses only. */
  readonly fetchClientMetadata?: FetchJson;
  /** Where the built web client is; by default where `npm start` puts it. */
  readonly clientFolder?: string;
};

export type Server = {
  readonly express: Express;
  /** For METRICS_PORT. */
  readonly metrics: Express;
  /** Makes /ready answer 503, so that no new work is sent here while what runs is finished. */
  drain(): void;
  /** Ends what would otherwise keep connections open. */
  close(): Promise<void>;
};

// They require a token that cannot be guessed, so wrong passwords from the same network do not block them.
const OF_A_SESSION: ReadonlySet<string> = new Set(['/logout', '/refresh', '/reauthenticate', '/email']);

/** The whole HTTP server: middleware and routes, in the order a request meets them. */
export async function createServer(parts: ServerParts): Promise<Server> {
  const { app, config, registry, log, version, fetchClientMetadata, clientFolder } = parts;
  const { defaultLanguage: language, publicUrl } = config;
  const authenticate = createAuthenticate(app, config);
  const voice = restVoice(registry.tools);
  const probes = createProbes(app, version);
  const describe = createDescribeServer(config, version);
  const web = await createWeb({
    ...{ app, config, describe },
    ...(clientFolder !== undefined && { folder: clientFolder }),
  });
  const server = express();
  server.disable('etag');
  if (config.trustedProxies) server.set('trust proxy', config.trustedProxies);
  server.use(identifyRequest, probes.endConnections);
  if (app.tracing.isOn) server.use(createRequestTracing(app.tracing));
  // Only sessions of MCP are passed on.
  server.use(['/mcp', '/messages'], createAcceptPassed(app));
  // Before the guard: a preview has no origin, and these hold nothing of anybody.
  server.use(createSecurityHeaders(config), createPreviewFiles());
  // So do pictures of emails: other sites show them.
  server.use(createPublicAssets({ app, language }));
  const limitAddress = createAddressLimit(app);
  const guard = createHostGuard(config);
  // Health checks and Prometheus ask by whatever name the container has, and learn nothing of anybody.
  server.use(probes.router);
  server.use(createMetricsRoute({ app, config, guard, limit: limitAddress(() => 'public') }));
  server.use(guard);
  server.use(web.router);
  // Most requests are calls. A form with files has the path of a tool.
  const facadeParts = { app, registry, authenticate, log, language, voice, publicUrl };
  const facade = createFacade(facadeParts);
  server.use(createMultipartUpload(facadeParts), facade.exact);
  server.use(probes.about);
  server.use(createDocuments(registry, version));
  server.use(createOauthRoutes({ app, config, log, fetchClientMetadata }));
  const mcp = config.mcpEnabled ? await openMcp({ app, config, registry, log, version }) : undefined;
  if (mcp) server.use(mcp.router);
  const events = createStateEvents({ authenticate, log });
  const videos = createVideoRoutes({ app, authenticate, events, config, voice });
  server.use(videos.router);
  server.use(createJobEvents({ app, events, language, voice, videoJobs: videos.jobs }));
  server.use(createRunEvents({ app, events, language, voice }));
  server.use(createFileRoutes({ app, authenticate }));
  // Before their bodies are read: the sender has shown no credential yet.
  server.use(
    [...WEBHOOK_PATHS],
    limitAddress(() => 'webhook'),
  );
  server.use(createWebhookRoutes({ app }));
  server.use(
    ['/auth', '/api/v1/auth'],
    limitAddress((method, path) => (method === 'POST' && !OF_A_SESSION.has(path) ? 'sign_in' : 'public')),
  );
  server.use(
    '/api/v1/config',
    limitAddress(() => 'public'),
  );
  server.use(
    '/api/v1/invitations',
    limitAddress(() => 'public'),
  );
  server.use(createAuthRoutes({ app, authenticate, config }));
  server.use(createConnectRoutes({ app, authenticate, config }));
  server.use(createInvitationRoutes({ app, authenticate }));
  server.use(createConfigRoutes(describe, language));
  const limit = limitAddress(() => 'public');
  server.use(createUploadLinks({ app, publicUrl, limit }));
  server.use(facade.router);
  server.use(web.missing);
  server.use(async (req, res) => {
    if (['/mcp', '/sse', '/messages'].includes(req.path)) throw new Fault('not_found.mcp_disabled');
    // A caller without a credential does not learn which paths exist.
    await authenticate(req);
    const { method, path } = req;
    const allowed = methodsOf(registry, path);
    if (allowed.length === 0) throw new Fault('not_found.route', { method, path });
    res.set('Allow', allowed.join(', '));
    throw new Fault('method_not_allowed.route', { method, path, allowed: allowed.join(', ') });
  });
  server.use(
    createFaultHandler({
      ...{ log, language, voice, journal: app.journal, metrics: app.metrics },
      challenge: createChallenge(config),
    }),
  );
  const metrics = createMetricsServer(app, probes.router);
  return { express: server, metrics, drain: probes.drain, close };

  async function close() {
    events.close();
    await mcp?.close();
  }
}

async function openMcp({ app, config, registry, log, version }: ServerParts) {
  const { createMcpRoutes } = await import('./mcp/mcp.ts');
  const { createOtherNodes } = await import('./mcp/other-nodes.ts');
  const authenticate = createAuthenticate(app, config);
  const { toolSelection: bound, defaultLanguage: language, publicUrl } = config;
  const others = createOtherNodes(app);
  return createMcpRoutes({ app, registry, authenticate, log, version, bound, language, publicUrl, others });
}

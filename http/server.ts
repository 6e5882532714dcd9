import express, { type Express } from 'express';
import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { Fault } from '../src/errors.ts';
import type { Log } from '../src/platform/log.ts';
import type { Registry } from '../tools/registry.ts';
import { createAuthenticate } from './authentication.ts';
import { createDocuments } from './documents.ts';
import { createFacade } from './facade.ts';
import { createFaultHandler } from './faults.ts';
import { createHostGuard } from './host-guard.ts';
import { createProbes } from './probes.ts';
import { identifyRequest } from './request.ts';

export type ServerParts = {
  readonly app: App;
  readonly config: Config;
  readonly registry: Registry;
  readonly log: Log;
  readonly version: string;
};

export type Server = {
  readonly express: Express;
  /** Makes /ready answer 503, so that no new work is sent here while what runs is finished. */
  drain(): void;
  /** Ends what would otherwise keep connections open. */
  close(): Promise<void>;
};

/** All doors over HTTP, in the order a request meets them. */
export async function createServer({ app, config, registry, log, version }: ServerParts): Promise<Server> {
  const language = config.defaultLanguage;
  const authenticate = createAuthenticate(app, config.authMode);
  const probes = createProbes(app, version);
  const server = express();
  server.disable('x-powered-by').disable('etag');
  server.use(identifyRequest, createHostGuard(config));
  server.use(probes.router);
  server.use(createDocuments(registry, version));
  const mcp = config.mcpEnabled ? await openMcp({ app, config, registry, log, version }) : undefined;
  if (mcp) server.use(mcp.router);
  server.use(createFacade({ app, registry, authenticate, log, language }));
  server.use(async (req) => {
    if (['/mcp', '/sse', '/messages'].includes(req.path)) throw new Fault('not_found.mcp_disabled');
    // Without a credential nobody learns which paths exist.
    await authenticate(req);
    throw new Fault('not_found.route', { method: req.method, path: req.path });
  });
  server.use(createFaultHandler({ log, language }));
  return { express: server, drain: probes.drain, close: async () => mcp?.close() };
}

async function openMcp({ app, config, registry, log, version }: ServerParts) {
  const { createMcpRoutes } = await import('./mcp.ts');
  const authenticate = createAuthenticate(app, config.authMode);
  const { toolsets, defaultLanguage } = config;
  return createMcpRoutes({ app, registry, authenticate, log, version, toolsets, language: defaultLanguage });
}

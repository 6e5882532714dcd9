import type { McpServer, RequestId } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { App } from '../../../src/app.ts';
import { Fault } from '../../../src/errors.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Visit } from '../call.ts';
import { createMcpServerFactory, type McpParts } from '../mcp.ts';
import { protocolError } from '../protocol-error.ts';
import { refusal } from '../refusal.ts';
import { AFTER_GUIDES, guideResources } from '../resources/guides.ts';

const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/result', 'tasks/list'];

export type CatalogueServer = {
  readonly server: () => McpServer;
  /** Why the request of this id, which comes next, has no answer. */
  refuse(id: RequestId, fault: Fault): void;
};

/**
 * A server that needs no database: it introduces the product and lists tools, prompts and guides. It refuses
 * every other request with the given reason.
 */
export function createCatalogueServer(parts: Omit<McpParts, 'app'>, visit: Visit): CatalogueServer {
  const reasons = new Map<RequestId, Fault>();
  const reasonOf = (id: RequestId) => {
    const fault = reasons.get(id);
    reasons.delete(id);
    return fault ?? new Fault('internal.unexpected');
  };
  const refused = (_request: unknown, { mcpReq }: { mcpReq: { id: RequestId } }): never => {
    throw protocolError(reasonOf(mcpReq.id), reader);
  };
  const reader = { ...visit, voice: parts.catalogue.select([]).voiceFor(visit) };
  // Its lists use nothing of the app, and everything else is replaced below.
  const make = createMcpServerFactory({ ...parts, app: {} as App }, () => visit);
  const hasTemplates = parts.catalogue.shown('list_templates') !== undefined;
  return {
    refuse: (id, fault) => reasons.set(id, fault),
    server() {
      const whole = make();
      const { server } = whole;
      server.setRequestHandler('resources/list', () => ({
        resources: guideResources(),
        ...(hasTemplates && { nextCursor: AFTER_GUIDES }),
      }));
      server.setRequestHandler('tools/call', (_request, { mcpReq }) =>
        refusal(reasonOf(mcpReq.id), reader, newId('req')),
      );
      server.setRequestHandler('resources/read', refused);
      server.setRequestHandler('prompts/get', refused);
      server.setRequestHandler('completion/complete', refused);
      for (const method of TASK_METHODS)
        server.setRequestHandler(method, { params: z.looseObject({}) }, refused);
      return whole;
    },
  };
}

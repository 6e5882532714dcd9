import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import type { Log } from '../../src/platform/log.ts';
import type { Selection } from '../../tools/mcp/selection.ts';
import { denySession, type Guest, type McpDoor } from './admission.ts';
import { createEventStore } from './events.ts';
import type { ListeningStreams } from './listening.ts';
import type { OtherNodes } from './other-nodes.ts';
import { createSessions, type SessionLimits } from './sessions.ts';

type Parts = {
  readonly server: (session?: readonly Selection[]) => McpServer;
  readonly limits: SessionLimits;
  readonly log: Log;
  readonly changes: ServerEventBus | undefined;
  /** Streams of changes; where there is a bus of changes, the SDK serves them. */
  readonly listening: ListeningStreams;
  readonly others: OtherNodes;
};

// How long a client whose stream broke should wait before it comes back, in milliseconds.
const RETRY_MS = 1000;

/**
 * Streamable HTTP. The current revision has no sessions: a server lives for one request, so any node answers any
 * request. Older revisions open a session, which lives in one process: another node hands its requests on.
 */
export function createStreamableDoor({ server, limits, log, changes, listening, others }: Parts): McpDoor {
  const sessions = createSessions<NodeStreamableHTTPServerTransport>(limits);
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp');
  const handler = createMcpHandler(() => server(), {
    legacy: 'reject',
    onerror,
    ...(changes ? { bus: changes } : {}),
  });
  const current = toNodeHandler(handler, { onerror });

  const open = async (guest: Guest) => {
    const id = others.newSessionId();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: createEventStore(),
      retryInterval: RETRY_MS,
    });
    const session = sessions.open(id, guest.owner, transport);
    transport.onclose = session.end;
    transport.onerror = onerror;
    await server(guest.visit.selections).connect(transport);
    return session;
  };

  const handleOlder = async (req: Request, res: Response, guest: Guest) => {
    const id = req.get('Mcp-Session-Id');
    if (id === undefined && !isInitializeRequest(guest.body)) return denySession(res, 'missing');
    const session = id === undefined ? await open(guest) : sessions.find(id, guest.owner);
    if (!session) {
      if (!(await others.passOn(String(id), req, res, guest))) denySession(res, 'unknown');
      return;
    }
    // The end of a response that is already closed would never be heard of.
    if (res.destroyed) return;
    const { transport } = session;
    res.once('close', session.enter());
    try {
      await transport.handleRequest(Object.assign(req, { auth: guest.auth }), res, guest.body);
    } finally {
      // An initialize that was refused has begun no session.
      if (transport.sessionId === undefined) session.end();
    }
  };

  return {
    async handle(req, res, guest) {
      // The body is handed over beside the request, which then needs no copy of it.
      const head = await toWebRequest(req, guest.body === undefined ? undefined : null);
      const older = await isLegacyRequest(head, guest.body);
      if (older) return handleOlder(req, res, guest);
      const listen = changes ? undefined : listening.requestOf(req, guest.body);
      if (listen) return listening.serve(listen, res, guest);
      await current(Object.assign(req, { auth: guest.auth }), res, guest.body);
    },
    close: async () => {
      listening.close();
      await Promise.all([handler.close(), sessions.close()]);
    },
  };
}

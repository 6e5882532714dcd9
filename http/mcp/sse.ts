import type { McpServer } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import type { Log } from '../../src/platform/log.ts';
import type { Selection } from '../../tools/mcp/selection.ts';
import { HELD_LIMIT } from '../rest/event-response.ts';
import { denySession, type Guest, type McpDoor } from './admission.ts';
import type { OtherNodes } from './other-nodes.ts';
import { createSessions, type SessionLimits } from './sessions.ts';
import { SseTransport } from './sse-transport.ts';

type Parts = {
  readonly server: (session?: readonly Selection[]) => McpServer;
  readonly limits: SessionLimits;
  readonly log: Log;
  readonly others: OtherNodes;
};

// Proxies close a silent stream after a minute or so.
const KEEP_ALIVE_MS = 15_000;

/** The largest answer, in bytes: what a read may say, and the files within it in base64. */
const LARGEST_ANSWER = 3 * 1024 * 1024;

/**
 * The HTTP+SSE transport of 2024: a stream that stays open carries the answers to what is posted to `/messages`. The
 * session is the stream; it ends with it. What is posted to another node is handed on to the one that has the stream.
 */
export function createSseDoor({ server, limits, log, others }: Parts): McpDoor {
  const sessions = createSessions<SseTransport>(limits);

  const open = async (req: Request, res: Response, guest: Guest) => {
    // The client posts to the address it is told; it may have what the stream's had.
    const address = `${req.baseUrl}/messages${new URL(req.url, 'http://localhost').search}`;
    const transport = new SseTransport(others.newSessionId(), address, res);
    const session = sessions.open(transport.sessionId, guest.owner, transport);
    session.enter();
    transport.onclose = session.end;
    transport.onerror = (error) => log.debug({ err: error }, 'mcp');
    endUnread(transport, res);
    await server(guest.visit.selections).connect(transport);
    const keepAlive = setInterval(() => res.write(': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
    res.once('close', () => clearInterval(keepAlive));
  };

  const receive = async (req: Request, res: Response, guest: Guest) => {
    const id = new URL(req.url, 'http://localhost').searchParams.get('sessionId') ?? '';
    const session = sessions.find(id, guest.owner);
    if (!session) {
      if (!(await others.passOn(id, req, res, guest))) denySession(res, 'unknown');
      return;
    }
    session.transport.receive(req, res, guest);
  };

  return {
    handle: (req, res, guest) => (req.method === 'POST' ? receive(req, res, guest) : open(req, res, guest)),
    close: () => sessions.close(),
  };
}

/** Ends a session whose client takes no answers: they are made for what it posts elsewhere, and would be held without end. */
function endUnread(transport: SseTransport, res: Response): void {
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if (res.writableLength > HELD_LIMIT + LARGEST_ANSWER) res.destroy();
    else await send(message);
  };
}

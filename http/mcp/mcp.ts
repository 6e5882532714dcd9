import type { AuthInfo, ServerContext, ServerEventBus } from '@modelcontextprotocol/server';
import { type Request, type Response, Router } from 'express';
import type { App } from '../../src/app.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Registry } from '../../tools/contract/registry.ts';
import type { Visit } from '../../tools/mcp/call.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import type { McpExtension } from '../../tools/mcp/mcp.ts';
import type { Selection } from '../../tools/mcp/selection.ts';
import { requireGivenScope } from '../oauth/step-up.ts';
import { answerAs } from '../request.ts';
import { type Admission, admit, denyBody, type Guest, type McpDoor, TooDeep } from './admission.ts';
import { NO_OTHER_NODES, type OtherNodes } from './other-nodes.ts';
import { SESSION_LIMITS, type SessionLimits } from './sessions.ts';

export type McpRouteParts = Admission & {
  readonly app: App;
  readonly log: Log;
  readonly registry: Registry;
  readonly version: string;
  /** Which tools the operator lets clients use. */
  readonly bound?: Selection;
  readonly extension?: McpExtension | undefined;
  readonly slowCallMs?: number | undefined;
  /** Where changes of lists and resources are announced, for clients that listen. */
  readonly changes?: ServerEventBus | undefined;
  readonly limits?: Partial<SessionLimits>;
  /** Nodes that may have a session. */
  readonly others?: OtherNodes;
};

export type McpRoutes = {
  /** Mount it behind the host guard and before the fault handler. */
  readonly router: Router;
  /** Ends every session and open stream. */
  close(): Promise<void>;
};

/**
 * MCP over HTTP: `/mcp` for Streamable HTTP of every revision, `/sse` with `/messages` for clients of 2024. The SDKs are
 * loaded here and not before, so a server without MCP does not pay for them.
 * In: requests of clients. Out: answers and streams. Invariant: a request is admitted before its transport sees it.
 * @throws ConfigError when the operator's selection has a name that does not exist.
 */
export async function createMcpRoutes(parts: McpRouteParts): Promise<McpRoutes> {
  const { createMcpServerFactory } = await import('../../tools/mcp/mcp.ts');
  const { createStreamableDoor } = await import('./streamable.ts');
  const { createListening } = await import('./listening.ts');
  const { createSseDoor } = await import('./sse.ts');

  const catalogue = createCatalogue(parts.registry, parts.bound);
  const visits = createVisits();
  const server = createMcpServerFactory({ ...parts, catalogue }, visits.of);
  const limits = { ...SESSION_LIMITS, ...parts.limits };
  const { app, log, version, changes, others = NO_OTHER_NODES } = parts;
  const choiceOf = ({ selections = [] }: Visit) => catalogue.select(selections);
  const listening = createListening({ app, log, version, catalogue, visitOf: visits.of, choiceOf });
  const streamable = createStreamableDoor({ server, limits, log, changes, listening, others });
  const sse = createSseDoor({ server, limits, log, others });

  const letIn = (door: McpDoor) => async (req: Request, res: Response) => {
    const guest = await admit(req, res, parts, catalogue.known).catch((error: unknown) => {
      if (!(error instanceof TooDeep)) throw error;
    });
    if (!guest) return denyBody(res);
    answerAs(choiceOf(guest.visit).voiceFor(guest.visit), res);
    requireGivenScope(parts.registry, guest.body, guest.visit.caller);
    visits.add(guest);
    if (!res.destroyed) await door.handle(req, res, guest);
  };
  const router = Router();
  router.get('/mcp', letIn(streamable)).post('/mcp', letIn(streamable)).delete('/mcp', letIn(streamable));
  router.get('/sse', letIn(sse)).post('/messages', letIn(sse));
  router.all('/mcp', allowOnly('GET, POST, DELETE'));
  router.all('/sse', allowOnly('GET')).all('/messages', allowOnly('POST'));
  return {
    router,
    close: async () => {
      await Promise.all([streamable.close(), sse.close()]);
    },
  };
}

/** The SDK hands a request's `auth` object through untouched, so the server finds the visit by that very object. */
function createVisits() {
  const visits = new WeakMap<AuthInfo, Visit>();
  return {
    add: ({ auth, visit }: Guest) => {
      visits.set(auth, visit);
    },
    of: (ctx: ServerContext): Visit => {
      const auth = ctx.http?.authInfo;
      const visit = auth && visits.get(auth);
      if (!visit) throw new Error('A request reached the MCP server without having been let in.');
      return visit;
    },
  };
}

function allowOnly(methods: string) {
  return (_req: Request, res: Response) => {
    res.set('Allow', methods).sendStatus(405);
  };
}

import type { JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { logFault } from '../../contract/log-fault.ts';
import { asFault } from '../../contract/problem.ts';
import type { Visit } from '../call.ts';
import type { Catalogue } from '../catalog.ts';
import type { McpParts } from '../mcp.ts';
import { createCatalogueServer } from './catalogue-server.ts';
import { type Conversation, holdConversation, type OpenPartner } from './conversation.ts';
import { startInProcess } from './in-process.ts';
import { openStandardStreams } from './standard-streams.ts';

type Parts = Omit<McpParts, 'app'> & {
  /** Who lists are made for, until a partner knows who calls. */
  readonly visit: Visit;
  readonly open: OpenPartner;
  /** The standard streams of the process unless another client's end is given. */
  readonly wire?: Transport;
};

/**
 * Holds the conversation of a process with the client that started it. Introductions and lists need no database.
 *
 * In: a client's messages, and how the data is opened. Out: its conversation. Invariant: lists are answered without
 * opening the data.
 */
export async function holdStdioConversation(parts: Parts): Promise<Conversation> {
  const { open, visit, catalogue, log, wire = openStandardStreams() } = parts;
  const { server, refuse } = createCatalogueServer(parts, visit);
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp');
  const lists = await startInProcess((transport) => serveStdio(server, { transport, onerror }), {
    message: (message) => void wire.send(message).catch(() => {}),
    closed: () => {},
  });
  const conversation = holdConversation({
    wire,
    catalogue: { send: lists.send, refuse },
    open,
    isRepeatable: (request) => isRepeatable(request, catalogue),
    faultOf(error) {
      const fault = asFault(error);
      logFault(log, fault, { tool: 'start' });
      return fault;
    },
  });
  wire.onerror = onerror;
  await wire.start();
  return conversation;
}

/** True for what changes nothing. */
function isRepeatable({ method, params }: JSONRPCRequest, catalogue: Catalogue): boolean {
  if (method !== 'tools/call') return true;
  return catalogue.shown(String(params?.['name']))?.annotations.readOnlyHint === true;
}

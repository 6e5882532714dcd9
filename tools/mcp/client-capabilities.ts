import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What the client says it can do: with the request since 2026, before that when the session began. */
export function clientCapabilities(
  { server }: Pick<McpServer, 'server'>,
  ctx: ServerContext,
): ClientCapabilities {
  return requestCapabilities(ctx) ?? server.getClientCapabilities() ?? {};
}

/** The capabilities in this request. */
export function requestCapabilities({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  // The SDK has checked the envelope, and types it as empty.
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

const APP_EXTENSION = 'io.modelcontextprotocol/ui';
export const APP_MEDIA_TYPE = 'text/html;profile=mcp-app';

/**
 * Whether the client of a request shows apps: it said so in the request itself, or where its session began. Nothing of apps
 * is listed, answered or called for any other.
 */
export function showsApps({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  // The SDK has checked the envelope, and types it as empty.
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const mediaTypes = declared?.extensions?.[APP_EXTENSION]?.['mimeTypes'];
  return Array.isArray(mediaTypes) && mediaTypes.includes(APP_MEDIA_TYPE);
}

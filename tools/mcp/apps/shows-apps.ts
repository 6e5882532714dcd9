import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { clientCapabilities } from '../client-capabilities.ts';

const APP_EXTENSION = 'io.modelcontextprotocol/ui';
export const APP_MEDIA_TYPE = 'text/html;profile=mcp-app';

/**
 * Whether the client of a request shows apps: it said so in the request itself, or where its session began. For
 * any other client, apps are not listed, returned or called.
 */
export function showsApps(mcp: McpServer, ctx: ServerContext): boolean {
  const mediaTypes = clientCapabilities(mcp, ctx).extensions?.[APP_EXTENSION]?.['mimeTypes'];
  return Array.isArray(mediaTypes) && mediaTypes.includes(APP_MEDIA_TYPE);
}

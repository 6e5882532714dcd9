import { buffer } from 'node:stream/consumers';
import { type McpServer, ResourceNotFoundError, type ServerContext } from '@modelcontextprotocol/server';
import type { App } from '../src/app.ts';
import type { FileClaim } from '../src/files/files.ts';
import type { Visit } from './mcp-call.ts';

/**
 * Lets a client read the files that answers link to, under the address of the link: for those that speak MCP and cannot
 * fetch it, as over standard input and output.
 */
export function offerFiles(
  { server }: McpServer,
  { files }: Pick<App, 'files'>,
  visitOf: (ctx: ServerContext) => Visit,
): void {
  server.registerCapabilities({ resources: {} });
  // Links are for who got them: nobody else is shown that they exist.
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const claim = claimOf(uri);
    const file = claim && (await files.open({ ...claim, accountId: visitOf(ctx).caller.accountId }));
    const blob = await file?.read();
    if (!file || !blob) throw new ResourceNotFoundError(uri);
    const bytes = await buffer(blob.stream);
    return { contents: [{ uri, mimeType: file.media_type, blob: bytes.toString('base64') }] };
  });
}

/** What a link claims: `…/v1/files/<id>?token=<token>`. */
function claimOf(uri: string): FileClaim | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const id = url && /\/v1\/files\/(file_\w+)$/.exec(url.pathname)?.[1];
  if (!id) return undefined;
  const token = url.searchParams.get('token');
  return { id, ...(token !== null && { token }) };
}

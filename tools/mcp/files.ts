import { buffer } from 'node:stream/consumers';
import { type McpServer, ResourceNotFoundError, type ServerContext } from '@modelcontextprotocol/server';
import type { App } from '../../src/app.ts';
import type { FileClaim } from '../../src/files/files.ts';
import type { Visit } from './call.ts';

/**
 * Lets a client read the files that answers link to, under the address of the link: for those that speak MCP and cannot
 * fetch it, as over standard input and output.
 */
export function offerFiles(
  { server }: McpServer,
  { files, videos }: Pick<App, 'files' | 'videos'>,
  visitOf: (ctx: ServerContext) => Visit,
): void {
  server.registerCapabilities({ resources: {} });
  // A link is only for the caller that received it, so none is listed.
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const claim = claimOf(uri);
    const file = claim && (await files.open({ ...claim, accountId: visitOf(ctx).caller.accountId }));
    const found = file ? { ...file, mediaType: file.media_type } : await videoOf(uri, videos);
    const blob = found && found.bytes <= LARGEST ? await found.read() : undefined;
    if (!found || !blob) throw new ResourceNotFoundError(uri);
    const bytes = await buffer(blob.stream);
    return { contents: [{ uri, mimeType: found.mediaType, blob: bytes.toString('base64') }] };
  });
}

/** Bytes of a file that can be answered: a message is held whole, by both sides. */
const LARGEST = 64 * 1024 * 1024;

const PARTS = { file: 'file', poster: 'poster', 'captions.vtt': 'captions' } as const;

/** What the link of a video leads to: `…/videos/<id>/<part>?token=<token>`. */
async function videoOf(uri: string, videos: Pick<App['videos'], 'links' | 'openFile'>) {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const [, id, name] = /\/videos\/(vid_\w+)\/(file|poster|captions\.vtt)$/.exec(url?.pathname ?? '') ?? [];
  if (!url || !id || !name) return undefined;
  const accountId = await videos.links.accountOf(id, url.searchParams.get('token') ?? '');
  // The pattern allows these names only.
  return accountId === undefined
    ? undefined
    : videos.openFile(accountId, id, PARTS[name as keyof typeof PARTS]);
}

/** What a link claims: `…/v1/files/<id>?token=<token>`. */
function claimOf(uri: string): FileClaim | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const id = url && /\/v1\/files\/(file_\w+)$/.exec(url.pathname)?.[1];
  if (!id) return undefined;
  const token = url.searchParams.get('token');
  return { id, ...(token !== null && { token }) };
}

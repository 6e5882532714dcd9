import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { App } from '../../src/app.ts';
import type { OpenedFile } from '../../src/files/files.ts';
import type { Log } from '../../src/platform/log.ts';

export type FileServer = { readonly url: string; close(): void };

type FileApp = Pick<App, 'files' | 'videos' | 'assets'>;
type Served = Pick<OpenedFile, 'filename' | 'bytes' | 'read'> & { readonly mediaType: string };

const VIDEO_PARTS = { file: 'file', poster: 'poster', 'captions.vtt': 'captions' } as const;

/** Nothing that a file contains runs, and no page of another site reads or embeds it. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-store',
};

/**
 * Serves the files, videos and assets that answers link to, on a free port of this machine alone, for a process without a
 * server. A file is only had with the secret of its link, an asset with the hash of its content.
 * @param home Where `npm start` would serve the pages of the product.
 */
export async function serveFiles(app: FileApp, home: string, log: Log): Promise<FileServer> {
  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      log.warn({ err: error }, 'a file was not sent');
      res.destroy();
    });
  });
  await new Promise<void>((settle, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', settle);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Another name for this machine is a page that was made to ask it.
    if (req.headers.host !== host) return say(res, 403, 'Open the link unchanged.');
    if (req.method !== 'GET' && req.method !== 'HEAD') return say(res, 405, 'Only GET and HEAD.');
    const { pathname, searchParams } = new URL(req.url ?? '/', `http://${host}`);
    const isFile = /^\/(v1\/files|videos|a)\//.test(pathname);
    if (!isFile)
      return say(res, 404, `This address only has files. Run npm start, then open ${home}${pathname}`);
    const file = await find(app, pathname, searchParams.get('token'));
    if (!file) return say(res, 404, 'File not found, or its link has expired. Create it again.');
    await send(file, req, res);
  }
}

async function find(
  { files, videos, assets }: FileApp,
  path: string,
  token: string | null,
): Promise<Served | undefined> {
  const [, sha256, name = ''] = /^\/a\/([0-9a-f]{64})\/([^/]+)$/.exec(path) ?? [];
  if (sha256 !== undefined) {
    const content = await assets.findPublic(sha256);
    return content && { ...content, filename: name, mediaType: content.media_type };
  }
  if (token === null) return undefined;
  const id = /^\/v1\/files\/(file_\w+)$/.exec(path)?.[1];
  if (id !== undefined) {
    const file = await files.open({ id, token });
    return file && { ...file, mediaType: file.media_type };
  }
  const [, video, part] = /^\/videos\/(vid_\w+)\/(file|poster|captions\.vtt)$/.exec(path) ?? [];
  if (video === undefined || !isPart(part)) return undefined;
  const owner = await videos.links.accountOf(video, token);
  return owner === undefined ? undefined : videos.openFile(owner, video, VIDEO_PARTS[part]);
}

function isPart(part: string | undefined): part is keyof typeof VIDEO_PARTS {
  return part !== undefined && Object.hasOwn(VIDEO_PARTS, part);
}

async function send(file: Served, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { bytes, mediaType, filename } = file;
  const range = rangeOf(req.headers.range, bytes);
  const length = range ? range.end - range.start + 1 : bytes;
  const opened = req.method === 'HEAD' ? undefined : await file.read(range);
  if (req.method !== 'HEAD' && !opened) return say(res, 404, 'The file no longer exists. Create it again.');
  // Media and PDFs are shown; what could be a page is saved.
  const isShown = /^(image\/(?!svg)|video\/|application\/pdf)/.test(mediaType);
  res.writeHead(range ? 206 : 200, {
    ...HEADERS,
    'Content-Type': mediaType,
    'Content-Length': length,
    'Accept-Ranges': 'bytes',
    'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename)}`,
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}` }),
  });
  if (!opened) return void res.end();
  // A reader who goes away ends it.
  await pipeline(opened.stream, res).catch(() => {});
}

/** One range, as players ask for; anything else gets the whole. */
function rangeOf(header: string | undefined, bytes: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = Math.min(last ? Number(last) : bytes - 1, bytes - 1);
  return start <= end ? { start, end } : undefined;
}

function say(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json']);

/** Serves a built client, compressed; a path without a file is its index.html. */
export async function serveFolder(folder: string) {
  const read = async (path: string) => {
    const name = normalize(decodeURIComponent(path));
    const kind = TYPES[extname(name)] ? extname(name) : '.html';
    const bytes = await readFile(join(folder, kind === '.html' ? 'index.html' : name));
    return { kind, body: COMPRESSED.has(kind) ? await promisify(gzip)(bytes) : bytes };
  };
  const server = createServer((req, res) => {
    read(new URL(req.url ?? '/', 'http://folder').pathname).then(
      ({ kind, body }) =>
        res
          .writeHead(200, {
            'content-type': TYPES[kind],
            ...(COMPRESSED.has(kind) && { 'content-encoding': 'gzip' }),
          })
          .end(body),
      () => res.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

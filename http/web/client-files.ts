import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { dropDocumentHeaders } from '../security-headers.ts';
import { type Encoding, encodingFor } from './encoding.ts';

type ClientFile = {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** The same, by encoding. */
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
};

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

const ENDINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Alone of these, a browser that opens it treats it as a page. */
const DOCUMENT = TYPES['svg'];

/** The name of a file changes with its content, so a browser never asks for it again. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'public, max-age=0, must-revalidate';

/** The built client's files by path, read once: about three megabytes with their compressed forms. */
export async function readClientFiles(folder: string): Promise<ReadonlyMap<string, ClientFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .map((name) => name.replace(/^\/*/, ''));
  const served = names.filter((name) => typeOf(name) !== undefined);
  const files = await Promise.all(
    served.map(async (name) => [`/${name}`, await readClientFile(folder, name, names)] as const),
  );
  return new Map(files);
}

async function readClientFile(folder: string, name: string, all: readonly string[]): Promise<ClientFile> {
  const bytes = await readFile(join(folder, name));
  const encoded = await Promise.all(
    ENDINGS.filter(([, ending]) => all.includes(`${name}${ending}`)).map(
      async ([encoding, ending]) => [encoding, await readFile(join(folder, `${name}${ending}`))] as const,
    ),
  );
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type: typeOf(name) ?? '', etag: digest, bytes, encoded: new Map(encoded) };
}

const typeOf = (name: string) => TYPES[name.slice(name.lastIndexOf('.') + 1)];

/** Sends them, compressed as the browser takes it. They hold nothing of anyone, so they need no credential. */
export function createClientFiles(files: ReadonlyMap<string, ClientFile>): RequestHandler {
  return (req, res, next) => {
    const file = files.get(req.path);
    if (!file || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    sendClientFile(file, req, res);
  };
}

function sendClientFile({ type, etag, bytes, encoded }: ClientFile, req: Request, res: Response): void {
  const encoding = encodingFor(req, (one) => encoded.has(one));
  const body = (encoding && encoded.get(encoding)) ?? bytes;
  if (type !== DOCUMENT) dropDocumentHeaders(res);
  // Two encodings of a file are two representations of it.
  const tag = `"${etag}${encoding ? `-${encoding}` : ''}"`;
  res.set({
    'Cache-Control': req.path.startsWith('/web/') ? IMMUTABLE : REVALIDATED,
    'Content-Type': type,
    ETag: tag,
    Vary: 'Accept-Encoding',
  });
  if (tagsOf(req).includes(tag)) {
    res.status(304).end();
    return;
  }
  if (encoding) res.set('Content-Encoding', encoding);
  res.set('Content-Length', String(body.length));
  res.end(req.method === 'HEAD' ? undefined : body);
}

function tagsOf(req: Request): string[] {
  return (req.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

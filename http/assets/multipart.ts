import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { type Request, Router } from 'express';
import { LIMITS } from '../../src/assets/asset.ts';
import { Fault } from '../../src/errors.ts';
import { toAssetPath } from '../../src/platform/asset-path.ts';
import { machineFault } from '../../src/platform/machine-fault.ts';
import { putAsset } from '../../tools/assets/put-asset.ts';
import type { Call } from '../../tools/contract/define.ts';
import { invoke } from '../../tools/contract/invoke.ts';
import { requireScope } from '../../tools/contract/require-scope.ts';
import { isPacked } from '../body.ts';
import { type FacadeParts, openCall } from '../rest/rest.ts';
import { chunksOf, createUploads } from '../upload.ts';

/** What OpenAPI says of it; the same route takes JSON, as upload_asset. */
const MAX_FILES = 20;

type Part = { readonly path: string; readonly file: string };

/**
 * POST /v1/assets with multipart/form-data: several files, each stored under its file name, in `folder` if that field comes
 * first. They are received one after the other, and each is a call of put_asset.
 */
export function createMultipartUpload(parts: FacadeParts): Router {
  const router = Router();
  const uploads = createUploads();
  router.post('/v1/assets', async (req, res, next) => {
    if (!req.is('multipart/form-data')) return next();
    const caller = await parts.authenticate(req);
    requireScope(putAsset.name, putAsset.scope, caller);
    const taking = { limit: LIMITS.upload, check: () => {}, concurrency: 2 };
    const items = await uploads.receiveWith(req, taking, caller.accountId, async (folder) => {
      const received = await readParts(req, folder);
      const call = openCall(req, res, new Map(), { ...parts, caller });
      const saved: unknown[] = [];
      for (const part of received) saved.push(await store(part, call));
      return saved;
    });
    res.status(201).json({ items });
  });
  return router;
}

async function store({ path, file }: Part, call: Call): Promise<unknown> {
  const { output } = await invoke(putAsset, { path }, { ...call, upload: { path: file } });
  return output;
}

/** The files of a form, on disk. @throws Fault unsupported_media_type.multipart, too_large.body, validation_failed.asset_parts */
async function readParts(req: Request, into: string): Promise<Part[]> {
  if (isPacked(req)) throw new Fault('unsupported_media_type.packed');
  if (Number(req.headers['content-length'] ?? 0) > LIMITS.upload)
    throw new Fault('too_large.body', { limit: LIMITS.upload });
  const found: Part[] = [];
  const streams: BusboyFileStream[] = [];
  const writing: Promise<void>[] = [];
  let folder = '';
  let bytes = 0;
  const form = openForm(req);
  form.on('field', (name: string, value: string) => {
    if (name === 'folder') folder = value;
  });
  form.on('file', (_field: string, stream: BusboyFileStream, filename: string) => {
    const path = toAssetPath(`${folder}/${filename}`);
    const file = `${into}-${found.length}`;
    if (path === undefined || found.length >= MAX_FILES) {
      const wrong = new Fault('validation_failed.asset_path', { path: String(filename).slice(0, 200) });
      return void form.destroy(wrong);
    }
    found.push({ path, file });
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LIMITS.upload) form.destroy(new Fault('too_large.body', { limit: LIMITS.upload }));
    });
    const written = pipeline(stream, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    // A form whose file cannot be written would wait for it forever.
    written.catch((error: Error) => form.destroy(error));
    streams.push(stream);
    writing.push(written);
  });
  const [read] = await Promise.allSettled([readForm(req, form)]);
  if (read.status === 'rejected') for (const stream of streams) stream.destroy();
  // The form is read before the disk has its last file, and all of them end before their folder is removed.
  const failed = [read, ...(await Promise.allSettled(writing))].find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  if (found.length === 0) throw new Fault('validation_failed.asset_parts');
  return found;
}

async function readForm(req: Request, form: Busboy): Promise<void> {
  await pipeline(chunksOf(req), form).catch((error: unknown) => {
    throw error instanceof Fault || machineFault(error)
      ? error
      : new Fault('unsupported_media_type.multipart', {}, { cause: error });
  });
}

function openForm(req: Request): Busboy {
  const limits = { files: MAX_FILES, fields: 20, fieldSize: 2_000, parts: MAX_FILES + 20, headerPairs: 50 };
  try {
    const headers = { ...req.headers, 'content-type': req.headers['content-type'] ?? '' };
    return new Busboy({ headers, limits, preservePath: true });
  } catch (error) {
    throw new Fault('unsupported_media_type.multipart', {}, { cause: error });
  }
}

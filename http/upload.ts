import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Request } from 'express';
import { Fault } from '../src/errors.ts';
import { withTemporaryFile } from '../src/platform/temporary-file.ts';
import type { RestTool } from '../tools/contract/define.ts';
import { isPacked } from './body.ts';

type Upload = NonNullable<RestTool['rest']['upload']>;
export type ReceivedFile = { readonly path: string; readonly sha256: string };
export type Uploads = ReturnType<typeof createUploads>;

/** Receives files sent as bodies. They go to the disk as they come, one of an account at a time. */
export function createUploads() {
  const receiving = new Set<string>();

  return {
    /**
     * Runs `work` with the file, which is removed after. The file's bytes are checked as soon as they say what it is.
     * @throws Fault unsupported_media_type.packed, rate_limited.uploads, too_large.body, and the upload's own check
     */
    async receive<Result>(
      req: Request,
      upload: Upload,
      accountId: string,
      work: (file: ReceivedFile) => Promise<Result>,
    ): Promise<Result> {
      return withTemporaryFile(async (path) => {
        if (receiving.has(accountId)) throw new Fault('rate_limited.uploads', {}, { retryAfterSeconds: 5 });
        receiving.add(accountId);
        const receivedFile = await write(req, upload, path).finally(() => {
          receiving.delete(accountId);
          // The rest of what is refused: its sender reads the answer only when all is sent.
          req.resume();
        });
        return work(receivedFile);
      });
    },
  };
}

const BEGINNING = 4;

async function write(req: Request, { check, limit }: Upload, path: string): Promise<ReceivedFile> {
  // A little could unpack to the limit, and files are packed already.
  if (isPacked(req)) throw new Fault('unsupported_media_type.packed');
  if (Number(req.headers['content-length'] ?? 0) > limit) throw new Fault('too_large.body', { limit });
  const digest = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of checked(chunksOf(req), check)) {
      bytes += chunk.length;
      if (bytes > limit) throw new Fault('too_large.body', { limit });
      digest.update(chunk);
      await file.appendFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { path, sha256: digest.digest('hex') };
}

/** What is sent, in pieces. Ending early must not cut the connection: the answer is still to be read over it. */
async function* chunksOf(req: Request): AsyncGenerator<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new Fault('validation_failed.cut', {}, { cause: error });
  }
}

async function* checked(chunks: AsyncIterable<Buffer>, check: Upload['check']): AsyncGenerator<Buffer> {
  let beginning: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (beginning) beginning = Buffer.concat([beginning, chunk]);
    if (beginning && beginning.length >= BEGINNING) {
      check(beginning);
      beginning = undefined;
    }
    yield chunk;
  }
  if (beginning) check(beginning);
}

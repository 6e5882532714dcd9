import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Request } from 'express';
import { Fault } from '../src/errors.ts';
import { withTemporaryFile } from '../src/platform/temporary-file.ts';
import type { RestTool } from '../tools/contract/define.ts';
import { isPacked } from './body.ts';

export type Upload = Omit<NonNullable<RestTool['rest']['upload']>, 'mediaType' | 'field'>;
export type ReceivedFile = {
  readonly path: string;
  readonly sha256: string;
  /** The connection broke before all was there. */
  readonly cut?: boolean;
};
export type Uploads = ReturnType<typeof createUploads>;

/** Receives files sent as bodies. They go to the disk as they come, a few of an account at a time. */
export function createUploads() {
  const receiving = new Map<string, number>();

  function enter(accountId: string, most: number): void {
    const now = receiving.get(accountId) ?? 0;
    if (now >= most) throw new Fault('rate_limited.uploads', {}, { retryAfterSeconds: 5 });
    receiving.set(accountId, now + 1);
  }

  function leave(accountId: string): void {
    const left = (receiving.get(accountId) ?? 1) - 1;
    if (left > 0) receiving.set(accountId, left);
    else receiving.delete(accountId);
  }

  return {
    /** Runs `work`, which reads the body; the path is in a folder that is removed after, with all that is put there. */
    async receiveWith<Result>(
      req: Request,
      { concurrency = 1 }: Upload,
      accountId: string,
      work: (path: string) => Promise<Result>,
    ): Promise<Result> {
      return withTemporaryFile(async (path) => {
        enter(accountId, concurrency);
        try {
          return await work(path);
        } finally {
          leave(accountId);
          req.resume();
        }
      });
    },

    /**
     * Runs `work` with the file, which is removed after. The file's bytes are checked as soon as they say what it is.
     * @throws Fault unsupported_media_type.packed, rate_limited.uploads, too_large.body, and the upload's own check
     */
    async receive<Result>(
      req: Request,
      upload: Upload & { readonly keepsCut?: boolean },
      accountId: string,
      work: (file: ReceivedFile) => Promise<Result>,
    ): Promise<Result> {
      return withTemporaryFile(async (path) => {
        enter(accountId, upload.concurrency ?? 1);
        const receivedFile = await write(req, upload, path).finally(() => {
          leave(accountId);
          // The rest of what is refused: its sender reads the answer only when all is sent.
          req.resume();
        });
        return work(receivedFile);
      });
    },
  };
}

const BEGINNING = 4;

async function write(
  req: Request,
  { check, limit, keepsCut }: Upload & { readonly keepsCut?: boolean },
  path: string,
): Promise<ReceivedFile> {
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
  } catch (error) {
    if (keepsCut && error instanceof Fault && error.key === 'validation_failed.cut')
      return { path, sha256: digest.digest('hex'), cut: true };
    throw error;
  } finally {
    await file.close();
  }
  return { path, sha256: digest.digest('hex') };
}

/** What is sent, in pieces. Ending early must not cut the connection: the answer is still to be read over it. */
export async function* chunksOf(req: Request): AsyncGenerator<Buffer> {
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

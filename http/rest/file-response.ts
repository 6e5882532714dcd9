import { type FileHandle, open } from 'node:fs/promises';
import type { Request, Response } from 'express';
import type { FileOnDisk, NewFile } from '../../src/files/files.ts';
import type { Call, RestTool } from '../../tools/contract/define.ts';
import { setSandbox } from '../security-headers.ts';
import { sendStream } from '../send-stream.ts';

type FileAnswer = Pick<Call, 'deliver'> & {
  /** Sends the file that was delivered; false when there was none. */
  send(res: Response): Promise<boolean>;
  /** To be called in the end, whether it was sent or not. */
  close(): Promise<void>;
};

type Taken = NewFile | (Omit<FileOnDisk, 'path'> & { readonly open: FileHandle; readonly size: number });

/** True for a tool that makes a file, unless the client says that it wants the JSON about it. */
export function wantsBytes({ rest }: RestTool, req: Request): boolean {
  return (
    rest.sendsFile === true &&
    req.accepts(['application/octet-stream', 'application/json']) !== 'application/json'
  );
}

/** Takes the file a call delivers and sends its bytes as the answer: nothing is stored. */
export function createFileAnswer(): FileAnswer {
  let taken: Taken | undefined;
  return {
    async deliver(file) {
      taken = 'path' in file ? await take(file) : file;
      const bytes = sizeOf(taken);
      const { mediaType, filename } = file;
      // This answer is never sent: the bytes are. It only has to be of the right shape.
      const now = new Date().toISOString();
      return { url: '', filename, media_type: mediaType, bytes, sha256: '', expires_at: now };
    },
    async send(res) {
      if (!taken) return false;
      res.statusCode = 200;
      res.attachment(taken.filename);
      res.setHeader('Content-Type', taken.mediaType);
      setSandbox(res);
      res.setHeader('Content-Length', sizeOf(taken));
      if ('bytes' in taken) res.end(taken.bytes);
      else await sendStream(taken.open.createReadStream({ autoClose: false }), res);
      return true;
    },
    async close() {
      if (taken && 'open' in taken) await taken.open.close();
    },
  };
}

/** Open, it can be read after it was removed. */
async function take({ path, ...file }: FileOnDisk): Promise<Taken> {
  const handle = await open(path);
  return { ...file, open: handle, size: (await handle.stat()).size };
}

function sizeOf(taken: Taken): number {
  return 'bytes' in taken ? taken.bytes.length : taken.size;
}

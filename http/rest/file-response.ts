import type { Request, Response } from 'express';
import type { NewFile } from '../../src/files/files.ts';
import type { Call, RestTool } from '../../tools/contract/define.ts';
import { setSandbox } from '../security-headers.ts';

type FileAnswer = Pick<Call, 'deliver'> & {
  /** Sends the file that was delivered; false when there was none. */
  send(res: Response): boolean;
};

/** True for a tool that makes a file, unless the client says that it wants the JSON about it. */
export function wantsBytes({ rest }: RestTool, req: Request): boolean {
  return (
    rest.sendsFile === true &&
    req.accepts(['application/octet-stream', 'application/json']) !== 'application/json'
  );
}

/** Takes the file a call delivers and sends its bytes as the answer: nothing is stored. */
export function createFileAnswer(): FileAnswer {
  let taken: NewFile | undefined;
  return {
    async deliver(file) {
      taken = file;
      const { bytes, mediaType, filename } = file;
      // This answer is never sent: the bytes are. It only has to be of the right shape.
      const now = new Date().toISOString();
      return { url: '', filename, media_type: mediaType, bytes: bytes.length, sha256: '', expires_at: now };
    },
    send(res) {
      if (!taken) return false;
      res.statusCode = 200;
      res.attachment(taken.filename);
      res.setHeader('Content-Type', taken.mediaType);
      setSandbox(res);
      res.setHeader('Content-Length', taken.bytes.length);
      res.end(taken.bytes);
      return true;
    },
  };
}

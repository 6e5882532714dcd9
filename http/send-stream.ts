import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Sends a stream as the rest of an answer. */
export async function sendStream(stream: Readable, res: Response): Promise<void> {
  await pipeline(stream, res).catch((error: NodeJS.ErrnoException) => {
    // A reader who left has no use for an error.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

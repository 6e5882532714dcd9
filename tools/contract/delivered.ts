import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { FileOnDisk, NewFile } from '../../src/files/files.ts';
import type { Caller } from '../../src/identity/caller.ts';

/** A file in a response. Anyone who has the link can read it until it expires. */
export const Delivered = z.object({
  url: z.string(),
  filename: z.string(),
  media_type: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  expires_at: z.iso.datetime(),
});
export type Delivered = z.output<typeof Delivered>;

/**
 * Stores a file and returns its link, for transports that cannot send bytes.
 * @param baseUrl Address of the server as the caller reaches it, without a slash at the end.
 */
export function deliverByLink(
  { files }: Pick<App, 'files'>,
  { accountId }: Pick<Caller, 'accountId'>,
  baseUrl: string,
): (file: NewFile | FileOnDisk) => Promise<Delivered> {
  return async (file) => {
    const { id: _id, path, ...stored } = await files.save(accountId, file);
    return { url: `${baseUrl}${path}`, ...stored };
  };
}

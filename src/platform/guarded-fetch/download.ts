import type { IncomingMessage } from 'node:http';
import { AssetBlocked } from './asset-blocked.ts';
import { type PinnedTarget, requestPinned } from './pinned-request.ts';

export type Download = { readonly bytes: Buffer; readonly contentType: string };

type DownloadOptions = PinnedTarget & {
  readonly maxBytes: number;
  /** Value of the Accept header. */
  readonly accept: string;
  /** Sent in the User-Agent header. */
  readonly purpose: string;
};

/** Sends one GET without cookies and without following redirects. Returns the body, or the address of the redirect. */
export async function download(url: URL, options: DownloadOptions): Promise<Download | { location: string }> {
  const { accept, purpose, maxBytes, ...target } = options;
  const response = await requestPinned(url, {
    ...target,
    // A small compressed body can become a huge one, so compression is not accepted.
    headers: { accept, 'accept-encoding': 'identity', 'user-agent': `Stallhand (${purpose})` },
  });
  try {
    return await read(response, maxBytes);
  } finally {
    // The connection is used once, and a rejected body may be endless.
    response.destroy();
  }
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Download | { location: string }> {
  const { statusCode = 0, headers } = response;
  const { location } = headers;
  if ([301, 302, 303, 307, 308].includes(statusCode) && location !== undefined) return { location };
  const encoding = headers['content-encoding'] ?? 'identity';
  if (statusCode !== 200 || encoding !== 'identity') throw new AssetBlocked('bad_answer');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new AssetBlocked('too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    // Without an encoding, a response yields Buffers.
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > maxBytes) throw new AssetBlocked('too_large');
    chunks.push(bytes);
  }
  return { bytes: Buffer.concat(chunks), contentType: headers['content-type'] ?? '' };
}

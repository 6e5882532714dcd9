import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { AssetRefused } from './asset-refused.ts';
import type { Address } from './resolve-host.ts';

export type Answer = { readonly bytes: Buffer; readonly contentType: string };

type DownloadOptions = {
  /** The only addresses that are connected to. */
  readonly addresses: readonly Address[];
  readonly ca: string | undefined;
  readonly maxBytes: number;
  /** The kinds of media asked for. */
  readonly accept: string;
  /** What for. */
  readonly purpose: string;
  readonly signal: AbortSignal;
};

/** Asks once, without cookies and without following: the body, or where it is instead. */
export async function download(url: URL, options: DownloadOptions): Promise<Answer | { location: string }> {
  const response = await ask(url, options);
  try {
    return await read(response, options.maxBytes);
  } finally {
    // The connection is used once, and a body that is refused may be without end.
    response.destroy();
  }
}

function ask(
  url: URL,
  { addresses, ca, accept, purpose, signal }: DownloadOptions,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    request({
      host,
      port: url.port || 443,
      path: `${url.pathname}${url.search}`,
      headers: {
        accept,
        // A small compressed body can become a huge one.
        'accept-encoding': 'identity',
        'user-agent': `Stallhand (${purpose})`,
        host: url.host,
      },
      // What the certificate must be for; an IP address has no name to say in the handshake.
      servername: isIP(host) ? '' : host,
      agent: false,
      signal,
      ...(ca !== undefined && { ca }),
      lookup: answerWith(addresses),
    })
      .once('response', resolve)
      // Without a listener the connection is closed, and neither an answer nor an error ever comes.
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new AssetRefused('bad_answer'));
      })
      // The last of its events: whatever came before, the wait is over.
      .once('close', () => reject(new Error('closed without an answer')))
      // Also after the answer has come: an error nobody listens to would end the process.
      .on('error', reject)
      .end();
  });
}

type LookupAnswer = (error: null, address: string | Address[], family?: number) => void;

/** The name is not resolved again: a second answer may be another than the one that was checked. */
function answerWith(addresses: readonly Address[]) {
  return (_host: string, { all }: { all?: boolean | undefined }, answer: LookupAnswer) => {
    const [first] = addresses;
    if (all || !first) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Answer | { location: string }> {
  const { statusCode = 0, headers } = response;
  const { location } = headers;
  if ([301, 302, 303, 307, 308].includes(statusCode) && location !== undefined) return { location };
  const encoding = headers['content-encoding'] ?? 'identity';
  if (statusCode !== 200 || encoding !== 'identity') throw new AssetRefused('bad_answer');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new AssetRefused('too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    // Without an encoding set, a response gives bytes.
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > maxBytes) throw new AssetRefused('too_large');
    chunks.push(bytes);
  }
  return { bytes: Buffer.concat(chunks), contentType: headers['content-type'] ?? '' };
}

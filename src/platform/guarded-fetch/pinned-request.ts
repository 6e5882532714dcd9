import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { AssetBlocked } from './asset-blocked.ts';
import type { Address } from './resolve-host.ts';

export type PinnedTarget = {
  /** The checked addresses of the host; no other is connected to. */
  readonly addresses: readonly Address[];
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
};

type PinnedRequest = PinnedTarget & {
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; without it the method is GET. */
  readonly body?: string;
};

/**
 * Sends one request to addresses that were checked before, as was the protocol. The name is not resolved again: a second
 * answer may differ from the checked one. The caller reads or destroys the response.
 * @throws AssetBlocked bad_answer; the errors of the connection; the signal's reason
 */
export function requestPinned(url: URL, options: PinnedRequest): Promise<IncomingMessage> {
  const { addresses, ca, signal, headers, body } = options;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPlain = url.protocol === 'http:';
  const request = isPlain ? requestPlain : requestTls;
  return new Promise((resolve, reject) => {
    request({
      method: body === undefined ? 'GET' : 'POST',
      host,
      port: url.port || (isPlain ? 80 : 443),
      path: `${url.pathname}${url.search}`,
      headers: {
        ...headers,
        host: url.host,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      // The name the certificate must be for; an IP address cannot be sent in the handshake.
      servername: isIP(host) ? '' : host,
      agent: false,
      signal,
      ...(ca !== undefined && { ca }),
      lookup: answerWith(addresses),
    })
      .once('response', resolve)
      // Without a listener the connection is closed, and neither a response nor an error is ever emitted.
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new AssetBlocked('bad_answer'));
      })
      // The last event of a request, so the promise always settles.
      .once('close', () => reject(new Error('closed without an answer')))
      // Stays after the response: an unhandled error event would end the process.
      .on('error', reject)
      .end(body);
  });
}

type LookupAnswer = (error: null, address: string | Address[], family?: number) => void;

function answerWith(addresses: readonly Address[]) {
  return (_host: string, { all }: { all?: boolean | undefined }, answer: LookupAnswer) => {
    const [first] = addresses;
    if (all || !first) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
}

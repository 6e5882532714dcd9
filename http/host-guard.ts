import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import type { Config } from '../src/config.ts';
import { Fault } from '../src/errors.ts';

type HostGuardOptions = Pick<Config, 'host' | 'loopback' | 'publicUrl' | 'allowedHosts'>;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests under a name that is not ours, which is what a rebound DNS name looks like, and requests sent by
 * pages of other sites. An address instead of a name is let in where the server is open to the network: no name can
 * be rebound to it.
 */
export function createHostGuard({
  host,
  loopback,
  publicUrl,
  allowedHosts,
}: HostGuardOptions): RequestHandler {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set([
    ...LOOPBACK,
    ...(loopback ? [host] : []),
    ...allowedHosts.map((name) => name.toLowerCase()),
    ...(own ? [own.hostname] : []),
  ]);

  const isOwnHost = (hostname: string) => names.has(hostname) || (!loopback && isAddress(hostname));

  const isOwnOrigin = (origin: string, hostHeader: string) => {
    const url = URL.parse(origin);
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
    if (url.host === hostHeader || url.origin === own?.origin) return true;
    return loopback && LOOPBACK.includes(url.hostname);
  };

  return (req, _res, next) => {
    const hostHeader = req.headers.host ?? '';
    const hostname = hostHeader.replace(/:\d+$/, '').toLowerCase();
    if (!isOwnHost(hostname)) throw new Fault('forbidden.host', { host: hostname });
    const { origin } = req.headers;
    if (origin !== undefined && !isOwnOrigin(origin, hostHeader.toLowerCase())) {
      throw new Fault('forbidden.origin', { origin });
    }
    next();
  };
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

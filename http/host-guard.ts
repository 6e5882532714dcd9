import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../src/config.ts';
import { Fault } from '../src/errors.ts';

type HostGuardOptions = Pick<Config, 'host' | 'loopback' | 'publicUrl' | 'allowedHosts' | 'allowedOrigins'>;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests under a name that is not ours, which is what a rebound DNS name looks like, and requests sent by
 * pages of other origins: of other sites, and of other ports of this machine. An address instead of a name is let in
 * where the server is open to the network: no name can be rebound to it.
 */
export function createHostGuard(options: HostGuardOptions): RequestHandler {
  const { host, loopback, publicUrl, allowedHosts, allowedOrigins } = options;
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set([
    ...LOOPBACK,
    ...(loopback ? [host] : []),
    ...allowedHosts.map((name) => name.toLowerCase()),
    ...(own ? [own.hostname] : []),
  ]);
  const allowed = new Set(allowedOrigins);

  const isOwnHost = (hostname: string) => names.has(hostname) || (!loopback && isAddress(hostname));

  return (req, res, next) => {
    const hostHeader = hostOf(req);
    const hostname = hostHeader.replace(/:\d+$/, '');
    if (!isOwnHost(hostname)) throw new Fault('forbidden.host', { host: hostname });
    const { origin } = req.headers;
    if (origin === undefined) {
      requireOwnPage(req);
      return next();
    }
    if (origin === own?.origin || origin === originOf(req.protocol, hostHeader)) return next();
    if (origin === 'null') throw new Fault('forbidden.opaque_origin');
    if (!allowed.has(origin)) throw new Fault('forbidden.origin', { origin });
    if (!letRead(req, res, origin)) next();
  };
}

/** @throws Fault bad_request.host when there are several: another reader of the request could go by another one */
function hostOf({ headersDistinct }: Request): string {
  const [host = '', ...others] = headersDistinct['host'] ?? [];
  if (others.length > 0) throw new Fault('bad_request.host');
  return host.toLowerCase();
}

/** The origin of our own pages: what the request says we are called, once that is a name of ours. */
function originOf(protocol: string, host: string): string | undefined {
  return URL.parse(`${protocol}://${host}`)?.origin;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Where a browser shows a document inside another one. */
const FRAMES = new Set(['iframe', 'frame', 'fencedframe', 'object', 'embed']);

/** Files whose links are shared, to be shown in emails and on other sites. */
const SHARED_FILE = /^\/v1\/files\/[^/]+$|^\/videos\/[^/]+\/(file|poster|captions\.vtt)$/;

/**
 * Goes by what browsers say of a request without an origin. Other sites may link to us; they may not change anything
 * here, and may embed nothing but files by their links.
 * @throws Fault forbidden.other_site
 */
function requireOwnPage({ method, path, query, headers }: Request): void {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  const isEmbedded =
    headers['sec-fetch-mode'] === 'no-cors' || FRAMES.has(String(headers['sec-fetch-dest'] ?? ''));
  const isShared = SHARED_FILE.test(path) && query['token'] !== undefined;
  if (!SAFE.has(method) || (isEmbedded && !isShared)) throw new Fault('forbidden.other_site');
}

/** Tells the browser that an allowed page may read the answer (CORS). Returns true when that was the question. */
function letRead({ method, headers }: Request, res: Response, origin: string): boolean {
  res.vary('Origin');
  res.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' });
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) return false;
  res.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    // The star does not stand for Authorization.
    'Access-Control-Allow-Headers': 'Authorization, *',
    'Access-Control-Max-Age': '600',
  });
  res.status(204).end();
  return true;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Config } from '../src/config.ts';

/** What no page of ours needs. Passkeys, the clipboard and full screen are left to our own pages. */
const PERMISSIONS = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid'],
  ...['idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'payment', 'serial', 'usb'],
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** For answers that are no page: nothing loads in them, and nothing frames them. */
const DATA_POLICY = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The strictest headers, on every answer: what may be framed, embedded, kept or run is said by the route that sends it.
 * HTTPS is only demanded where people reach the server by it.
 */
export function createSecurityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): RequestHandler {
  const isHttps = publicUrl !== undefined && URL.parse(publicUrl)?.protocol === 'https:';
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY },
    strictTransportSecurity: isHttps && { maxAge: YEAR_SECONDS, includeSubDomains: true },
  });
  return (req, res, next) => {
    res.setHeader('Permissions-Policy', PERMISSIONS);
    res.setHeader('Cache-Control', 'no-store');
    protect(req, res, next);
  };
}

/** What only a document obeys, or a worker. */
const OF_DOCUMENTS = [
  ...['Content-Security-Policy', 'Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster', 'Permissions-Policy'],
  ...['X-DNS-Prefetch-Control', 'X-Download-Options', 'X-Frame-Options', 'X-Permitted-Cross-Domain-Policies'],
  'X-XSS-Protection',
];

/** For our own scripts, styles, fonts and photos: a page needs a dozen at once, and these are more than many of the files. */
export function dropDocumentHeaders(res: Response): void {
  for (const name of OF_DOCUMENTS) res.removeHeader(name);
}

/**
 * What others wrote is shown, never run, at our own address, and framed by our own pages only. By the HTML standard,
 * a window shows nothing that has both a sandbox and an opener policy.
 */
export function setSandbox(res: Response, policy: readonly string[] = ['sandbox']): void {
  res.setHeader('Content-Security-Policy', [...policy, "frame-ancestors 'self'"].join('; '));
  res.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
}

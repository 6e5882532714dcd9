import type { Request, RequestHandler } from 'express';
import type { App } from '../../src/app.ts';
import { isSameSecret } from '../../src/platform/is-same-secret.ts';

/** Tells the node that has a session where the request came in: from which address, and over http or https. */
export const PASSED = 'stallhand-passed';

/**
 * Takes the address and protocol of a request as another node saw them. Only nodes can write the header: it has a mac of these
 * and of the request. Without one it says nothing.
 */
export function createAcceptPassed({ nodeSecret }: Pick<App, 'nodeSecret'>): RequestHandler {
  return async (req, res, next) => {
    const header = req.get(PASSED);
    if (header === undefined) return next();
    const [protocol = '', ip = '', mac = ''] = header.split(' ');
    const expected = await passedMac(nodeSecret, req, protocol, ip);
    if (isSameSecret(mac, expected)) {
      Object.defineProperty(req, 'ip', { value: ip || undefined });
      Object.defineProperty(req, 'protocol', { value: protocol });
      res.locals['passed'] = true;
    }
    next();
  };
}

/** Good for this credential, method and address alone. Without a time: clocks of nodes differ. */
export function passedMac(
  { mac }: App['nodeSecret'],
  req: Request,
  protocol: string,
  ip: string,
): Promise<string> {
  const { method, originalUrl } = req;
  const said = [protocol, ip, method, originalUrl, req.get('mcp-session-id'), req.get('authorization')];
  return mac('passed request', JSON.stringify(said));
}

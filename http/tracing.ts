import type { Request, RequestHandler, Response } from 'express';
import type { Tracing } from '../src/platform/tracing/tracing.ts';
import { requestIdOf } from './request.ts';

/** Asked for every few seconds, by machines. */
const UNTRACED: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

/**
 * Each request is a span, which continues the trace of its `traceparent`. Its name is the route: an address can have the name of a
 * template, or the secret of a link.
 */
export function createRequestTracing(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (UNTRACED.has(req.path)) return next();
    const { method } = req;
    const span = tracing.start(method, {
      kind: 'server',
      parent: req.headers['traceparent'],
      attributes: { 'http.request.method': method, 'stallhand.request_id': requestIdOf(req) },
    });
    res.once('close', () => {
      const route = routeOf(req);
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': res.statusCode });
      if (!res.writableFinished && !isEventStream(res)) span.fail('canceled');
      else if (res.statusCode >= 500) span.fail(String(res.statusCode));
      span.end();
    });
    return span.run(next);
  };
}

/** It ends when its reader leaves. */
function isEventStream(res: Response): boolean {
  return String(res.getHeader('content-type')).startsWith('text/event-stream');
}

/** The pattern of the route that answered; undefined where none did. */
function routeOf({ route }: Request): string | undefined {
  // Of the router: a text, or others for what has no one name.
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : undefined;
}

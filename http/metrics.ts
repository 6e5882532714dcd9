import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Express, type RequestHandler, Router } from 'express';
import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { Fault } from '../src/errors.ts';

/** A page cannot leave them all out: a browser always sends the languages, and to names it does not trust nothing else. */
const OF_BROWSERS = ['accept-language', 'origin', 'sec-fetch-site'];

type MetricsDeps = {
  readonly app: Pick<App, 'metricsText'>;
  readonly config: Pick<Config, 'metricsToken' | 'authMode'>;
  /** For requests without the token: the name and the page they come from. */
  readonly guard: RequestHandler;
  /** Of the address, for a request without the token. It may wait for the database, which those with the token never do. */
  readonly limit: RequestHandler;
};

/**
 * GET /metrics, for METRICS_TOKEN. Without that setting it is there only in open mode, where all who reach the server act as its
 * owner anyway; on every other server there is no such path.
 */
export function createMetricsRoute({ app, config, guard, limit }: MetricsDeps): Router {
  const { metricsToken: token, authMode } = config;
  const router = Router();
  if (token === undefined && authMode !== 'open') return router;
  const requireToken: RequestHandler = (req, res, next) => {
    const sent = /^Bearer (.+)$/i.exec(req.get('authorization') ?? '')?.[1];
    if (token !== undefined && sent && isSame(sent, token)) return next();
    return limit(req, res, () => next(new Fault('unauthenticated.metrics')));
  };
  // A request with the token comes from no page in somebody's browser, and may ask by the name a container has.
  router.get('/metrics', token === undefined ? guard : requireToken, sendMetrics(app));
  return router;
}

/**
 * What METRICS_PORT serves: /metrics without a token, and the probes. All who reach the port may read it, but for pages in
 * a browser, which may have been led here by a name of their own.
 */
export function createMetricsServer(app: MetricsDeps['app'], probes: Router): Express {
  const server = express();
  server.disable('x-powered-by').disable('etag');
  server.use((req, res, next) => {
    const isPage = OF_BROWSERS.some((header) => req.get(header) !== undefined);
    if (isPage)
      res.status(403).type('text/plain').end('This port is for Prometheus and probes, not for browsers.\n');
    else next();
  });
  server.use(probes);
  server.get('/metrics', sendMetrics(app));
  server.use((_req, res) => {
    res.status(404).type('text/plain').end('This port serves /metrics, /health and /ready.\n');
  });
  return server;
}

function sendMetrics(app: MetricsDeps['app']): RequestHandler {
  return async (_req, res) => {
    const text = await app.metricsText();
    res
      .set({ 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' })
      .end(text);
  };
}

function isSame(sent: string, token: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256(sent), sha256(token));
}

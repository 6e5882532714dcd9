import { createHash, timingSafeEqual } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { Fault } from '../src/errors.ts';

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
  router.get('/metrics', token === undefined ? guard : requireToken, async (_req, res) => {
    const text = await app.metricsText();
    res
      .set({ 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' })
      .end(text);
  });
  return router;
}

function isSame(sent: string, token: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256(sent), sha256(token));
}

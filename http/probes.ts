import { Router } from 'express';
import type { App } from '../src/app.ts';

/** /health lives while the process does, /ready while it can do its work, and / says what this is. */
export function createProbes(app: App, version: string) {
  const router = Router();
  let draining = false;

  router.get('/', (_req, res) => {
    res.json({ name: 'stallhand', version, openapi: '/openapi.json', health: '/health', ready: '/ready' });
  });
  router.get('/health', (_req, res) => {
    res.json({ status: 'ok', version });
  });
  router.get('/ready', async (_req, res) => {
    const database = await app.ready();
    const ready = database && !draining;
    const state = {
      status: ready ? 'ready' : 'not_ready',
      database: database ? 'ok' : 'down',
      engine: app.database.engine,
    };
    res.status(ready ? 200 : 503).json({ ...state, draining });
  });
  return {
    router,
    drain: () => {
      draining = true;
    },
  };
}

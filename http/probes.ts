import { basename } from 'node:path';
import { type RequestHandler, Router } from 'express';
import type { App } from '../src/app.ts';

/**
 * /health lives while the process does, /ready while it can do its work, and / says what this is. Once the server drains,
 * /ready answers 503, and `endConnections` has each answer end its connection, so that callers open the next one elsewhere.
 */
export function createProbes(app: App, version: string) {
  const router = Router();
  let draining = false;

  router.get('/health', (_req, res) => {
    res.json({ status: 'ok', version });
  });
  router.get('/ready', async (_req, res) => {
    const { database, queue, files } = await app.ready();
    const ready = database && queue && files && !draining;
    const state = {
      status: ready ? 'ready' : 'not_ready',
      database: database ? 'ok' : 'down',
      engine: app.database.engine,
      queue: queue ? 'ok' : 'down',
      files: files ? 'ok' : 'not_shared',
      browser: browserState(app.browser),
    };
    res.status(ready ? 200 : 503).json({ ...state, draining });
  });
  const endConnections: RequestHandler = (_req, res, next) => {
    if (draining) res.set('Connection', 'close');
    next();
  };
  const about = Router().get('/', (_req, res) => {
    res.json({ name: 'stallhand', version, openapi: '/openapi.json', health: '/health', ready: '/ready' });
  });
  return {
    router,
    about,
    endConnections,
    drain: () => {
      draining = true;
    },
  };
}

/** Which browser serves, without where it is; it is found with the first PDF or picture. */
function browserState({ state }: App['browser']) {
  const { running, executable, waiting, busy } = state();
  const name = executable === undefined ? {} : { name: basename(executable) };
  return { ...name, running, busy, waiting };
}

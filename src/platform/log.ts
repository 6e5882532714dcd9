import pino from 'pino';

export type Log = pino.Logger;

/**
 * JSON lines on standard error: standard output belongs to MCP over stdio. They are written together, at the latest after
 * a second and at exit; only a kill -9 can lose that second.
 */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, redact: ['*.authorization', '*.secret', '*.token', '*.password'] },
    pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 }),
  );
}

import pino from 'pino';
import { createLogOutput } from './log-output.ts';

export type Log = pino.Logger;

/**
 * JSON lines on standard error: standard output belongs to MCP over stdio. They are written together, at the latest after
 * a second and at exit; only a kill -9 can lose that second.
 */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, redact: ['*.authorization', '*.secret', '*.token', '*.password'] },
    createLogOutput(2),
  );
}

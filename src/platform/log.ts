import pino from 'pino';
import { createLogOutput } from './log-output.ts';
import type { Tracing } from './tracing/tracing.ts';

export type Log = pino.Logger;

/**
 * JSON lines on standard error: standard output belongs to MCP over stdio. They are written together, at the latest after
 * a second and at exit; only a kill -9 can lose that second. `fields` are added to each line.
 */
export function createLog(level: string, fields?: Tracing['logFields']): Log {
  return pino(
    {
      level,
      base: null,
      redact: ['*.authorization', '*.secret', '*.token', '*.password'],
      ...(fields && { mixin: fields }),
    },
    createLogOutput(2),
  );
}

import type { Fault } from '../../src/errors.ts';
import type { Log } from '../../src/platform/log.ts';

/** Logs a call that failed on our side: an unexpected error with its stack, any other in one line. */
export function logFault(log: Log, fault: Fault, where: Readonly<Record<string, unknown>>): void {
  if (fault.status < 500) return;
  const { cause } = fault;
  const reason = cause instanceof Error ? { reason: cause.message } : {};
  if (fault.code === 'internal') log.error({ err: cause ?? fault, ...where }, 'call failed');
  else log.warn({ code: fault.key, ...reason, ...where }, 'call not served');
}

import { Fault } from '../../errors.ts';

/** The Fault for a failure of the database itself, such as a lost connection; undefined for any other error. */
export function databaseFault(error: unknown): Fault | undefined {
  if (error instanceof Fault && error.code === 'unavailable') return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const { code } = error;
  const found = FAILURES.find(({ codes }) => codes.test(code));
  return found && new Fault(found.key, {}, { retryAfterSeconds: found.seconds, cause: error });
}

/** SQLSTATEs, and the codes of the driver and of Node's sockets. */
const FAILURES = [
  { key: 'unavailable.database_full', seconds: 60, codes: /^(53100|ENOSPC)$/ },
  // Lock timeout, statement timeout, too many connections, out of memory, serialization failure, deadlock.
  { key: 'unavailable.database_busy', seconds: 1, codes: /^(55P03|57014|53\w{3}|40001|40P01|25P0[34])$/ },
  // Shutting down, starting up, read-only standby, connection lost, host not found.
  {
    key: 'unavailable.database',
    seconds: 5,
    codes:
      /^(57P0\d|08\w{3}|25006|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|E\w+UNREACH|ETIMEDOUT)$/,
  },
] as const;

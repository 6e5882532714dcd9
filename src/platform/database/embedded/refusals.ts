import type { Refusal } from './turns.ts';
import { queryMessage, type WireError } from './wire.ts';

/** What a client hears that got no turn at the session. */
export const REFUSALS: Record<Refusal, WireError> = {
  waited_too_long: {
    severity: 'ERROR',
    code: '55P03',
    message: 'the embedded database is held by an open transaction',
    hint: 'Inside a transaction, send every query through the transaction. Keep transactions short.',
  },
  cancelled: { severity: 'ERROR', code: '57014', message: 'cancelled while waiting', hint: 'Send it again.' },
  closed: {
    severity: 'FATAL',
    code: '57P01',
    message: 'the embedded database is closing',
    hint: 'Open it again.',
  },
};

/** What a client hears whose transaction stood still. */
export const IDLE_TOO_LONG: WireError = {
  severity: 'FATAL',
  code: '25P03',
  message: 'the transaction was idle for too long and has been rolled back',
  hint: 'Await nothing but queries inside a transaction.',
};

/** COPY would end the WebAssembly instance. Raised by the server itself, so that an open transaction fails as it should. */
export const COPY_REFUSED = queryMessage(
  `do $$ begin raise exception 'COPY is not available on the embedded database'
   using errcode = '0A000', hint = 'Use insert and select, or a PostgreSQL named by DATABASE_URL.'; end $$`,
);

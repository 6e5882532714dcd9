import { send } from '../api/call.ts';
import { forget } from './session.ts';

/**
 * Ends the session. This browser forgets it first: a call that the server refuses in the meantime would otherwise ask the person
 * to sign in again. Without an answer it expires later.
 */
export function signOut(): void {
  send('POST', '/api/v1/auth/logout', {}).catch(() => undefined);
  forget();
}

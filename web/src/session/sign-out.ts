import { send } from '../api/call.ts';
import { forget } from './session.ts';

/** Ends the session. Without an answer it expires later; this browser forgets it now. */
export async function signOut(): Promise<void> {
  await send('POST', '/api/v1/auth/logout', {}).catch(() => undefined);
  forget();
}

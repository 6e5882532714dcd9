import { language } from '../i18n/language.ts';
import { chosenAccount, token } from '../session/session.ts';

type ReadsAhead = {
  /** The person, account and language that they are for. */
  readonly token: string | null;
  readonly account: string | null;
  readonly language: string;
  /** By path. */
  readonly answers: Record<string, Promise<Response>>;
};

declare global {
  /** Set by the script in web/index.html. */
  var readsAhead: ReadsAhead | undefined;
}

/** The page is shown long before; what no one has taken by then is old. */
const OLD_AFTER_MS = 10_000;

setTimeout(forget, OLD_AFTER_MS);

/** An answer that was asked for while the scripts were on their way, for the first who wants it. */
export function takeReadAhead(method: string, path: string): Promise<Response> | undefined {
  const { readsAhead: ahead } = globalThis;
  if (!ahead) return undefined;
  const isOfNow =
    (ahead.token ?? undefined) === token() &&
    (ahead.account ?? undefined) === chosenAccount() &&
    ahead.language === language();
  // After a write, they may be of before.
  if (method !== 'GET' || !isOfNow) {
    forget();
    return undefined;
  }
  const answer = ahead.answers[path];
  delete ahead.answers[path];
  return answer;
}

function forget(): void {
  globalThis.readsAhead = undefined;
}

import { useSyncExternalStore } from 'react';
import { forget, token, user, useToken } from './session.ts';

type Ending = {
  /** The token that the server no longer takes. */
  readonly token: string;
  readonly person: string | undefined;
  readonly isBack: Promise<boolean>;
  readonly settle: (isBack: boolean) => void;
};

let ending: Ending | undefined;
/** The last token that the server took from this page. */
let taken: string | undefined;
const listeners = new Set<() => void>();

/** The server took this token: someone works on the page. */
export function noteTaken(bearer: string): void {
  taken = bearer;
}

/**
 * The server took no token any more. The person who worked on the page is asked to sign in over it, so that nothing typed is lost;
 * a page that had not begun leads to the sign-in. Says whether the call may be made again: never for another person.
 */
export async function isBackAfter(bearer: string, person: string | undefined): Promise<boolean> {
  // Signed in again in the meantime, here or in another tab.
  if (token() !== bearer) return token() !== undefined && user().id === person;
  if (taken !== bearer) {
    forget();
    return false;
  }
  ending ??= begin(bearer, person);
  return ending.isBack;
}

function begin(bearer: string, person: string | undefined): Ending {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  queueMicrotask(tell);
  return { token: bearer, person, isBack: promise, settle: resolve };
}

/** Ends the question: they are back, or they leave. */
export function settle(isBack: boolean): void {
  ending?.settle(isBack && user().id === ending.person);
  ending = undefined;
  if (!isBack) forget();
  tell();
}

/** The token of the session that ended, while its person is asked; theirs is another one as soon as they are back. */
export function useEnding(): { readonly isOver: boolean } | undefined {
  const current = useToken();
  const ended = useSyncExternalStore(subscribe, () => ending?.token);
  return ended === undefined ? undefined : { isOver: current !== ended };
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

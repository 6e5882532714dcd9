import { useSyncExternalStore } from 'react';

/** The person as a sign-in answers them. */
export type User = { readonly id: string; readonly name: string; readonly email: string | null };

type Session = { readonly token: string; readonly user: User };

const listeners = new Set<() => void>();

/** The token of the session, which the browser keeps until it ends. */
export function token(): string | undefined {
  return localStorage.getItem('token') ?? undefined;
}

/** What the sign-in said of the person; empty before the first sign-in. */
export function user(): Partial<User> {
  return JSON.parse(localStorage.getItem('user') ?? '{}') as Partial<User>;
}

export function remember({ token: value, user }: Session): void {
  // First, so that another tab that hears of the token finds its person.
  localStorage.setItem('user', JSON.stringify(user));
  localStorage.setItem('token', value);
  markMember(true);
  tell();
}

export function forget(): void {
  localStorage.removeItem('token');
  localStorage.removeItem('user');
  markMember(false);
  tell();
}

/** Who is signed in; undefined while no one is. */
export function usePerson(): string | undefined {
  return useSyncExternalStore(subscribe, () => (token() === undefined ? undefined : (user().id ?? token())));
}

export function useToken(): string | undefined {
  return useSyncExternalStore(subscribe, token);
}

/** Only whether someone is signed in: `/` is the dashboard then, not the page for visitors. */
function markMember(isMember: boolean): void {
  const seconds = isMember ? 365 * 24 * 60 * 60 : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `member=1; Path=/; Max-Age=${seconds}; SameSite=Lax`;
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Hears of this tab's sign-ins and, by `storage`, of those in others. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

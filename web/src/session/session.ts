import { useSyncExternalStore } from 'react';

/** The person as a sign-in answers them. */
export type User = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** The account they are at home in. */
  readonly account_id: string;
};

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

/**
 * The account that this tab works in, where its person chose one of several, and who that was: `usr_1 acc_2`; empty at home. It
 * outlives a reload and another tab's choice, which is for new tabs. web/index.html reads it the same way.
 */
const kept = sessionStorage.getItem('account') ?? localStorage.getItem('account') ?? '';
sessionStorage.setItem('account', kept);

/** The account that the person chose; undefined in the one that they are at home in. */
export function chosenAccount(): string | undefined {
  const [person, account] = kept.split(' ');
  return account !== undefined && person === user().id ? account : undefined;
}

/** Works in an account from now on; undefined: in the one that the person is at home in. Everything is read again. */
export function workIn(account: string | undefined): void {
  const { id, account_id: home } = user();
  const choice = account === undefined || account === home ? '' : `${id} ${account}`;
  // Another tab may have chosen since.
  if (account !== undefined || localStorage.getItem('account') === kept)
    localStorage.setItem('account', choice);
  sessionStorage.setItem('account', choice);
  location.assign('/dashboard');
}

/** What a call says of who makes it, and in which account. What concerns the person alone is in no account. */
export function credentials(path: string): Readonly<Record<string, string>> {
  const bearer = token();
  if (bearer === undefined || DECLINING.test(path)) return {};
  const account = OF_THE_PERSON.test(path) ? undefined : chosenAccount();
  return {
    Authorization: `Bearer ${bearer}`,
    ...(account !== undefined && { 'Stallhand-Account': account }),
  };
}

/** The token of the link is enough, and a session may be over. */
const DECLINING = /^\/api\/v1\/invitations\/[^/]+\/decline$/;
const OF_THE_PERSON = /^\/api\/v1\/(auth|invitations)\//;

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

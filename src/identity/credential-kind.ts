import type { Caller } from './caller.ts';

/** Where a credential comes from. */
export type Origin = {
  /** The client's address; absent over stdio. */
  readonly address?: string | undefined;
  /** The account a person wants to act in, of those they are a member of; their own when absent. */
  readonly account?: string | undefined;
};

/** A kind of credential: who its tokens speak for, and what is left of that later. */
export type CredentialKind = {
  /** @throws Fault unauthenticated and others of 401 and 403 */
  resolve(token: string, origin: Origin): Promise<Caller>;
  /** A caller of earlier, with what is left of its rights by now. @throws Fault unauthenticated.revoked */
  renew(caller: Caller): Promise<Caller>;
};

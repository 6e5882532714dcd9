/** What an identity provider says of the person a token speaks for. The signature and every claim have been checked. */
export type VerifiedIdentity = {
  readonly issuer: string;
  /** Of the person at the issuer: the one thing that never changes. */
  readonly subject: string;
  /** Lower case, and only when the provider has seen that it is theirs. */
  readonly email: string | null;
  readonly name: string | null;
  /** An https address. */
  readonly avatar: string | null;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
};

/** An external service that signs people in; adapters are in src/providers. */
export type IdentityProvider = {
  /**
   * @throws Fault unauthenticated.token for a token that is not good here, token_expired.token, and
   * unavailable.identity_provider when the provider cannot be asked for its keys
   */
  verify(token: string): Promise<VerifiedIdentity>;
};

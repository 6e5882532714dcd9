/** What a credential may be allowed to do; the local owner may do everything. */
export const SCOPES = [
  'templates:read',
  'templates:write',
  'templates:render',
  'templates:promote',
  'audit:read',
  'assets:read',
  'assets:write',
  'brand:read',
  'brand:write',
  'videos:read',
  'videos:write',
  'hooks:read',
  'hooks:write',
  'sync:read',
  'sync:write',
  'sync:run',
  'account:read',
  'account:write',
  'account:admin',
  'members:write',
  'keys:write',
  'billing:read',
  'billing:write',
  'environments:manage',
  'connections:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What an API key may do by default: work, and nothing about the account, its brand, people, keys or money. */
export const DEFAULT_KEY_SCOPES = SCOPES.filter(
  (scope) => /^(templates|assets|videos|hooks|sync):/.test(scope) || scope === 'brand:read',
);

/** What a program that a person lets in may be given: never what only a person may do. */
export const APP_SCOPES: readonly Scope[] = [
  ...DEFAULT_KEY_SCOPES,
  'brand:write',
  'audit:read',
  'account:read',
  'account:write',
  'billing:read',
];

/**
 * What a member may do in an account: owners everything, admins all but money and the account itself, members their
 * work, viewers read.
 */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Who is calling. Every credential resolves to this type, so code behind the transports treats all alike.
 * `actor` is the name kept in versions and in the audit log.
 */
export type Caller = {
  readonly accountId: string;
  readonly actor: string;
  readonly scopes: readonly Scope[];
  readonly via: 'local' | 'api_key' | 'session' | 'oidc' | 'oauth' | 'anonymous';
  /** The key that was used: work that is done later asks whether it still stands. */
  readonly keyId?: string;
  /** The connected app whose token was used. */
  readonly appId?: string;
  /** The person who holds the key that was used, or let the app in. */
  readonly keyHolder?: string;
  /** The account made the key itself, so its plan says what the key may be used for; the operator's need none. */
  readonly byPlan?: true;
  /** The person, where the credential is one's own: work that is done later asks whether they are still a member. */
  readonly userId?: string;
  /** The person signed in, or authenticated again, at most 10 minutes ago; always so for the local owner. */
  readonly fresh?: true;
  /** Of the person, or of the member who holds the key; undefined for a key that no one holds. */
  readonly role?: Role;
  /** Scopes of the credential that do not count now, and why. */
  readonly withheld?: { readonly scopes: readonly Scope[]; readonly because: 'plan' | 'takeover' };
  /** The session that was used, for signing out. */
  readonly sessionId?: string;
  /** Where an anonymous visitor comes from, as a keyed hash that changes daily; two with the same share one allowance. */
  readonly visitor?: string;
  /** The wider network around it, in the same form; has a larger allowance. */
  readonly visitorNetwork?: string;
};

/** What a key may be allowed to do; the local owner may do everything. */
export const SCOPES = [
  'templates:read',
  'templates:write',
  'templates:render',
  'templates:promote',
  'audit:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Who is calling. Every kind of credential ends as one of these, so nothing behind the doors knows which was used.
 * `actor` is the name kept in versions and in the audit log.
 */
export type Caller = {
  readonly accountId: string;
  readonly actor: string;
  readonly scopes: readonly Scope[];
  readonly via: 'local' | 'api_key';
};

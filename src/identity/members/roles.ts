import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { type Caller, type Role, SCOPES, type Scope } from '../caller.ts';

const NOT_FOR_ADMINS: readonly Scope[] = ['billing:write', 'account:admin'];
/** Beside templates, videos and hooks. The brand, which production shows at once, and what a sync connects are the admins'. */
const FOR_MEMBERS: readonly Scope[] = ['brand:read', 'account:read', 'billing:read', 'sync:read', 'sync:run'];
const FOR_VIEWERS: readonly Scope[] = [
  'templates:read',
  'templates:render',
  'assets:read',
  'brand:read',
  'videos:read',
  'hooks:read',
  'sync:read',
  'account:read',
];

/** What a person in this role may do in the account. */
export function scopesOf(role: Role): readonly Scope[] {
  switch (role) {
    case 'owner':
      return SCOPES;
    case 'admin':
      return SCOPES.filter((scope) => !NOT_FOR_ADMINS.includes(scope));
    case 'member':
      return SCOPES.filter(
        (scope) => /^(templates|assets|videos|hooks):/.test(scope) || FOR_MEMBERS.includes(scope),
      );
    case 'viewer':
      return FOR_VIEWERS;
  }
}

/** An owner is made of a member, never invited. */
export const INVITED_ROLES = ['admin', 'member', 'viewer'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** Adds an event to the account's record of who did what, in the transaction of the change. */
export type RecordEvent = (
  tx: Tx,
  accountId: string,
  event: { actor: string; action: string; target: string; from?: string; to?: string },
) => Promise<void>;

/** What only some may do: scopes tell, since a key has no role. The account itself is the owners', so it marks them. */
const RIGHTS = { manage: 'members:write', 'change owners': 'account:admin' } as const satisfies Record<
  string,
  Scope
>;

/** @throws Fault forbidden.admins, forbidden.owners */
export function requireRight(right: keyof typeof RIGHTS, { scopes }: Caller): void {
  if (scopes.includes(RIGHTS[right])) return;
  throw new Fault(right === 'manage' ? 'forbidden.admins' : 'forbidden.owners');
}

export function isOwner({ role, status }: { role: Role; status: string }): boolean {
  return role === 'owner' && status === 'active';
}

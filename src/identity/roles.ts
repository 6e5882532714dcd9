import { type Role, SCOPES, type Scope } from './caller.ts';

const NOT_FOR_ADMINS: readonly Scope[] = ['billing:write'];
const FOR_MEMBERS: readonly Scope[] = ['account:read', 'billing:read'];

/** What a person in this role may do in the account. */
export function scopesOf(role: Role): readonly Scope[] {
  switch (role) {
    case 'owner':
      return SCOPES;
    case 'admin':
      return SCOPES.filter((scope) => !NOT_FOR_ADMINS.includes(scope));
    case 'member':
      return SCOPES.filter(
        (scope) => /^(templates|videos|hooks):/.test(scope) || FOR_MEMBERS.includes(scope),
      );
  }
}

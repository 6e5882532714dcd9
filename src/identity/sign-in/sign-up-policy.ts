import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import * as membershipRepo from '../members/membership-repo.ts';

export type SignUpMode = 'open' | 'invited' | 'closed';

type SignUpPolicyDeps = {
  readonly sql: Sql;
  readonly mode: SignUpMode;
  /** With `open`: domains of addresses that may sign up without an invitation. Empty means all. */
  readonly domains: readonly string[];
  readonly now?: () => number;
};

export type SignUpPolicy = ReturnType<typeof createSignUpPolicy>;

/** Who may become a user of this server. Existing users sign in whatever it says. */
export function createSignUpPolicy({ sql, mode, domains, now = Date.now }: SignUpPolicyDeps) {
  async function admits(email: string | null): Promise<boolean> {
    if (mode === 'closed') return false;
    if (mode === 'open' && (domains.length === 0 || isAt(email, domains))) return true;
    return email !== null && membershipRepo.isInvited(sql, email, new Date(now()));
  }

  return {
    /** True if not everyone may: then only a verified address counts. */
    isRestricted: mode !== 'open' || domains.length > 0,

    admits,

    /** @throws Fault sign_up_closed: the same for an address that has a user */
    async require(email: string | null): Promise<void> {
      if (await admits(email)) return;
      if (mode === 'open') throw new Fault('sign_up_closed.domains', { domains: domains.join(', ') });
      throw new Fault(mode === 'invited' ? 'sign_up_closed.invited' : 'sign_up_closed.closed');
    },
  };
}

function isAt(email: string | null, domains: readonly string[]): boolean {
  return email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1));
}

import { Fault } from '../errors.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Caller, Role } from './caller.ts';
import type { MemberRow } from './membership-repo.ts';
import * as membershipRepo from './membership-repo.ts';
import { type InvitedRole, isOwner, type RecordEvent, requireRight } from './roles.ts';

type MembersDeps = {
  readonly sql: Sql;
  /** Whether the account's plan has members besides the owner. @throws Fault plan_required */
  readonly requirePlan: (accountId: string) => Promise<void>;
  readonly record: RecordEvent;
  /** Called when somebody has another role, or none: no node may go by what it knew. */
  readonly invalidate: () => void;
  readonly now?: () => number;
};

/** Someone who belongs to an account, or is asked to: `expires_at` says until when they can accept. */
export type Member = Omit<MemberRow, 'created_at' | 'expires_at'> & {
  readonly created_at: string;
  readonly expires_at?: string;
};

export type Members = ReturnType<typeof createMembers>;

const MAX_MEMBERS = 200;
const INVITATION_TTL_MS = 14 * 86_400_000;

/** Members of an account. An invitation is accepted by a person with that verified address. */
export function createMembers({ sql, requirePlan, record, invalidate, now = Date.now }: MembersDeps) {
  const stillGood = () => new Date(now());

  async function list(accountId: string, within: Sql | Tx = sql): Promise<Member[]> {
    const rows = await membershipRepo.list(within, accountId, stillGood());
    return rows.map(present);
  }

  return {
    /** Members and those invited, at most 200. */
    list: (accountId: string) => list(accountId),

    /** @throws Fault plan_required, conflict.already_member, plan_limit.members, forbidden */
    async invite(caller: Caller, { email, role }: { email: string; role: InvitedRole }): Promise<Member> {
      const { accountId, actor } = caller;
      requireRight('manage', caller);
      await requirePlan(accountId);
      return sql.begin(async (tx) => {
        await membershipRepo.lockAccount(tx, accountId);
        // Verifying an owner's address takes the account over, so an unverified owner must not invite others.
        if (!(await membershipRepo.hasVerifiedOwners(tx, accountId))) throw new Fault('forbidden.unproved');
        const before = await list(accountId, tx);
        const known = before.find((member) => member.email === email);
        if (known?.status === 'active') throw new Fault('conflict.already_member', { email });
        if (!known && before.length >= MAX_MEMBERS)
          throw new Fault('plan_limit.members', { limit: MAX_MEMBERS });
        const expires_at = new Date(now() + INVITATION_TTL_MS);
        await membershipRepo.invite(tx, accountId, {
          id: newId('inv'),
          email,
          role,
          invited_by: actor,
          expires_at,
        });
        await record(tx, accountId, { actor, action: 'member.invited', target: email, to: role });
        return found(await list(accountId, tx), (member) => member.email === email, email);
      });
    },

    /** Gives a member, or an invitation, another role. @throws Fault not_found.member, conflict.last_owner, forbidden.owners */
    async update(caller: Caller, id: string, role: Role): Promise<Member> {
      const { accountId, actor } = caller;
      requireRight('manage', caller);
      const changed = await sql.begin(async (tx) => {
        await membershipRepo.lockAccount(tx, accountId);
        const before = await list(accountId, tx);
        const member = found(before, (one) => one.id === id, id);
        if (member.role === role) return member;
        if (member.role === 'owner' || role === 'owner') requireRight('change owners', caller);
        if (member.status === 'active') keepAnOwner(before, member);
        await setRole(tx, accountId, member, role);
        const change = { actor, action: 'member.role_changed', target: nameOf(member) };
        await record(tx, accountId, { ...change, from: member.role, to: role });
        return { ...member, role };
      });
      invalidate();
      return changed;
    },

    /**
     * Ends a membership or withdraws an invitation. Members may remove themselves.
     * @throws Fault not_found.member, conflict.last_owner, forbidden.owners
     */
    async remove(caller: Caller, id: string): Promise<void> {
      const { accountId, actor, userId } = caller;
      if (id !== userId) requireRight('manage', caller);
      await sql.begin(async (tx) => {
        await membershipRepo.lockAccount(tx, accountId);
        const before = await list(accountId, tx);
        const member = found(before, (one) => one.id === id, id);
        if (member.role === 'owner' && id !== userId) requireRight('change owners', caller);
        if (member.status === 'invited') await membershipRepo.deleteInvitation(tx, accountId, id);
        else {
          keepAnOwner(before, member);
          await membershipRepo.remove(tx, accountId, id);
          await membershipRepo.notifyChanged(tx);
        }
        const action = member.status === 'invited' ? 'member.uninvited' : 'member.removed';
        await record(tx, accountId, { actor, action, target: nameOf(member), from: member.role });
      });
      invalidate();
    },

    /** Accepts the invitations to an address. Call only after the person has verified it. */
    async acceptInvitations(tx: Tx, { id, email }: { id: string; email: string }): Promise<void> {
      const joined = await membershipRepo.accept(tx, id, email, stillGood());
      if (joined.length > 0) await membershipRepo.notifyChanged(tx);
      for (const { account_id, role } of joined)
        await record(tx, account_id, { actor: email, action: 'member.joined', target: email, to: role });
    },
  };
}

async function setRole(tx: Tx, accountId: string, member: Member, role: Role): Promise<void> {
  const { id, status, email } = member;
  if (status === 'active') {
    await membershipRepo.setRole(tx, accountId, id, role);
    return membershipRepo.notifyChanged(tx);
  }
  if (role === 'owner') throw new Fault('conflict.invited_owner', { email: email ?? '' });
  await membershipRepo.setInvitedRole(tx, accountId, id, role);
}

function keepAnOwner(members: readonly Member[], leaving: Member): void {
  if (leaving.role !== 'owner' || members.filter(isOwner).length > 1) return;
  throw new Fault('conflict.last_owner');
}

function found(members: readonly Member[], is: (member: Member) => boolean, id: string): Member {
  const member = members.find(is);
  if (!member) throw new Fault('not_found.member', { id });
  return member;
}

function nameOf({ email, name, id }: Member): string {
  return email ?? (name || id);
}

function present({ created_at, expires_at, ...row }: MemberRow): Member {
  return {
    ...row,
    created_at: created_at.toISOString(),
    ...(expires_at && { expires_at: expires_at.toISOString() }),
  };
}

import { Fault } from '../../errors.ts';
import type { Locale, Warning } from '../../language.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Caller, Role } from '../caller.ts';
import { nameInMail, type Post } from '../mail.ts';
import * as invitationRepo from './invitation-repo.ts';
import { newInvitationToken } from './invitations.ts';
import type { MemberRow } from './membership-repo.ts';
import * as membershipRepo from './membership-repo.ts';
import { type InvitedRole, isOwner, type RecordEvent, requireRight } from './roles.ts';

type MembersDeps = {
  readonly sql: Sql;
  /** Whether the account's plan has members besides the owner. @throws Fault plan_required */
  readonly requirePlan: (accountId: string) => Promise<void>;
  readonly record: RecordEvent;
  /** How many members and invitations the account's plan allows. */
  readonly seatsOf: (accountId: string) => Promise<number>;
  readonly post: Post;
  /** Whether `post` sends email: only then are invitations limited. */
  readonly sendsMail: boolean;
  /** Called when somebody has another role, or none: no node may go by what it knew. */
  readonly invalidate: () => void;
  readonly log: Log;
  readonly now?: () => number;
};

/** Someone who belongs to an account, or is asked to: `expires_at` says until when they can accept. */
export type Member = Omit<MemberRow, 'created_at' | 'expires_at'> & {
  readonly created_at: string;
  readonly expires_at?: string;
};

const INVITATION_TTL_MS = 14 * 86_400_000;
const HOUR_MS = 60 * 60_000;
/** Emails with invitations in an hour. */
const MAX_MAILS = { byAccount: 50, byEmail: 3 };

/** Someone who was invited, and whether an email is on its way. */
export type Invited = Member & {
  readonly mail_sent: boolean;
  readonly warnings: readonly Warning[];
};

/** Where the call came in, and the language of a caller who has chosen none. */
type Place = { readonly baseUrl: string; readonly locale: Locale };

type Letter = {
  readonly email: string;
  readonly role: InvitedRole;
  readonly expiresAt: Date;
  readonly token: string;
};

/**
 * Members of an account. A person accepts an invitation to their verified address: see invitations.ts.
 *
 * In: a caller, an address and a role. Out: members, and invitations by email. Invariant: the last owner can neither
 * leave nor take another role.
 */
export function createMembers(deps: MembersDeps) {
  const { sql, requirePlan, seatsOf, record, post, sendsMail, invalidate, log, now = Date.now } = deps;
  const stillGood = () => new Date(now());

  async function list(accountId: string, within: Sql | Tx = sql): Promise<Member[]> {
    const rows = await membershipRepo.list(within, accountId, stillGood());
    return rows.map(present);
  }

  return {
    /** Members and those invited. */
    list: (accountId: string) => list(accountId),

    /** The same with how many there may be. */
    async listWithSeats(accountId: string) {
      const items = await list(accountId);
      return { items, seats: { used: items.length, limit: await seatsOf(accountId) } };
    },

    /**
     * Invites an address by email; again, with a new link in the place of the last one.
     * @throws Fault plan_required, conflict.already_member, plan_limit.members, rate_limited.invitations, forbidden
     */
    async invite(
      caller: Caller,
      { email, role }: { email: string; role: InvitedRole },
      place: Place,
    ): Promise<Invited> {
      const { accountId, actor } = caller;
      requireRight('manage', caller);
      await requirePlan(accountId);
      const limit = await seatsOf(accountId);
      const { token, sha256: token_sha256 } = newInvitationToken();
      const expires_at = new Date(now() + INVITATION_TTL_MS);
      const invited = await sql.begin(async (tx) => {
        await membershipRepo.lockAccount(tx, accountId);
        // Verifying an owner's address takes the account over, so an unverified owner must not invite others.
        if (!(await membershipRepo.hasVerifiedOwners(tx, accountId))) throw new Fault('forbidden.unproved');
        const before = await list(accountId, tx);
        const known = before.find((member) => member.email === email);
        if (known?.status === 'active') throw new Fault('conflict.already_member', { email });
        if (!known && before.length >= limit) throw new Fault('plan_limit.members', { limit });
        if (sendsMail) await countMail(tx, accountId, email);
        await membershipRepo.invite(tx, accountId, {
          id: newId('inv'),
          email,
          role,
          invited_by: actor,
          expires_at,
          token_sha256,
        });
        await record(tx, accountId, { actor, action: 'member.invited', target: email, to: role });
        return found(await list(accountId, tx), (member) => member.email === email, email);
      });
      return { ...invited, ...(await send(caller, { email, role, expiresAt: expires_at, token }, place)) };
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
  };

  /** Before it is sent: attempts count. @throws Fault rate_limited.invitations */
  async function countMail(tx: Tx, accountId: string, email: string): Promise<void> {
    const sent = await invitationRepo.countMails(tx, { accountId, email }, new Date(now() - HOUR_MS));
    if (sent.by_account >= MAX_MAILS.byAccount || sent.by_email >= MAX_MAILS.byEmail)
      throw new Fault('rate_limited.invitations', {}, { retryAfterSeconds: HOUR_MS / 1000 });
    await invitationRepo.insertMail(tx, accountId, { email, at: stillGood() });
  }

  /** The invitation stands, whether or not its email is sent. */
  async function send(caller: Caller, { email, role, expiresAt, token }: Letter, { baseUrl, locale }: Place) {
    const inviter = await membershipRepo.findInviter(sql, caller.accountId, caller.userId ?? null);
    const params = {
      account: nameInMail(inviter?.account_name ?? ''),
      inviter: nameInMail(inviter?.email ?? caller.actor),
      role,
      date: expiresAt.toISOString().slice(0, 10),
      url: `${baseUrl}/invitations/${token}`,
    };
    const letter = { kind: 'invitation', to: email, locale: inviter?.language ?? locale, params } as const;
    try {
      if (await post(letter)) return { mail_sent: true, warnings: [] };
      return { mail_sent: false, warnings: [{ key: 'invitation_unsent', params: { email } } as const] };
    } catch (error) {
      log.warn({ err: error, account: caller.accountId }, 'an invitation was not sent by email');
      return { mail_sent: false, warnings: [{ key: 'invitation_failed', params: { email } } as const] };
    }
  }
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

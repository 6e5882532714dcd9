import { hash, randomBytes } from 'node:crypto';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Caller } from '../caller.ts';
import type { InvitationName, InvitationRow } from './invitation-repo.ts';
import * as invitationRepo from './invitation-repo.ts';
import * as membershipRepo from './membership-repo.ts';
import type { InvitedRole, RecordEvent } from './roles.ts';

type InvitationsDeps = {
  readonly sql: Sql;
  readonly record: RecordEvent;
  /** Called when somebody has joined: no node may go by what it knew. */
  readonly invalidate: () => void;
  readonly now?: () => number;
};

/** An invitation as the invited person sees it. */
export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: InvitedRole;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly account: { readonly id: string; readonly name: string };
};

export type Invitations = ReturnType<typeof createInvitations>;

const TOKEN = /^ivt_[\w-]{43}$/;
const DAY_MS = 86_400_000;
const EXPIRED_RETENTION_MS = 30 * DAY_MS;

/** A token for the link of an invitation, and what is stored of it. */
export function newInvitationToken(): { readonly token: string; readonly sha256: string } {
  const token = `ivt_${randomBytes(32).toString('base64url')}`;
  return { token, sha256: hash('sha256', token) };
}

/**
 * Invitations of the people who got them. No one joins without saying so: accepting needs a person signed in with the
 * invited address, verified. The token of the email shows and declines; a person can name one of theirs by its ID too.
 */
export function createInvitations({ sql, record, invalidate, now = Date.now }: InvitationsDeps) {
  const moment = () => new Date(now());

  /** @throws Fault not_found.invitation */
  async function find(name: string, db: Sql | Tx = sql): Promise<InvitationRow> {
    const row = await invitationRepo.find(db, nameOf(name), moment());
    if (!row) throw new Fault('not_found.invitation');
    return row;
  }

  /** An invitation to the person's verified address. @throws Fault not_found.invitation, forbidden.invitation_address */
  async function findOwn(tx: Tx, caller: Caller, name: string): Promise<InvitationRow> {
    const row = await find(name, tx);
    const email = await verifiedEmail(tx, caller);
    if (email === row.email) return row;
    // Only the token shows that the reader may know of it.
    throw TOKEN.test(name)
      ? new Fault('forbidden.invitation_address', { email: row.email })
      : new Fault('not_found.invitation');
  }

  async function verifiedEmail(db: Sql | Tx, { userId }: Caller): Promise<string | undefined> {
    const person = userId === undefined ? undefined : await invitationRepo.findPerson(db, userId);
    return person?.email_verified && person.email !== null ? person.email : undefined;
  }

  return {
    /** What a token invites to. @throws Fault not_found.invitation */
    async get(token: string): Promise<Invitation> {
      if (!TOKEN.test(token)) throw new Fault('not_found.invitation');
      return present(await find(token));
    },

    /** The open invitations to the person's verified address, oldest first. */
    async listOf(caller: Caller): Promise<Invitation[]> {
      const email = await verifiedEmail(sql, caller);
      return email === undefined ? [] : (await invitationRepo.listOf(sql, email, moment())).map(present);
    },

    /**
     * Makes the person a member.
     * @param name Token or ID
     * @throws Fault forbidden.no_member, not_found.invitation, forbidden.invitation_address
     */
    async accept(caller: Caller, name: string): Promise<Invitation> {
      const { userId } = caller;
      if (userId === undefined) throw new Fault('forbidden.no_member');
      const joined = await sql.begin(async (tx) => {
        const row = await findOwn(tx, caller, name);
        const { account_id: accountId, role, email } = row;
        await membershipRepo.lockAccount(tx, accountId);
        if (!(await invitationRepo.take(tx, accountId, row.id))) throw new Fault('not_found.invitation');
        if (await membershipRepo.insert(tx, accountId, userId, role)) {
          await record(tx, accountId, { actor: email, action: 'member.joined', target: email, to: role });
          await membershipRepo.notifyChanged(tx);
        }
        return row;
      });
      invalidate();
      return present(joined);
    },

    /** @param caller Undefined where the token alone is sent. @throws Fault not_found.invitation, forbidden.invitation_address */
    async decline(caller: Caller | undefined, name: string): Promise<void> {
      await sql.begin(async (tx) => {
        const {
          account_id: accountId,
          id,
          email,
          role,
        } = caller && !TOKEN.test(name) ? await findOwn(tx, caller, name) : await find(tokenOnly(name), tx);
        if (!(await invitationRepo.take(tx, accountId, id))) throw new Fault('not_found.invitation');
        await record(tx, accountId, { actor: email, action: 'member.declined', target: email, from: role });
      });
    },

    /** Deletes what expired long ago. */
    sweep: () =>
      invitationRepo.sweep(sql, {
        mails: new Date(now() - DAY_MS),
        invitations: new Date(now() - EXPIRED_RETENTION_MS),
      }),
  };
}

function nameOf(name: string): InvitationName {
  return TOKEN.test(name) ? { sha256: hash('sha256', name), id: null } : { sha256: null, id: name };
}

function tokenOnly(name: string): string {
  if (!TOKEN.test(name)) throw new Fault('not_found.invitation');
  return name;
}

function present({
  id,
  account_id,
  account_name,
  email,
  role,
  invited_by,
  expires_at,
}: InvitationRow): Invitation {
  return {
    ...{ id, email, role, invited_by },
    expires_at: expires_at.toISOString(),
    account: { id: account_id, name: account_name },
  };
}

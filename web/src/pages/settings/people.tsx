import '../../ui/styles/select.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../api/operation.ts';
import {
  getProfile,
  inviteMember,
  listMembers,
  removeMember,
  updateMember,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { fullDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useProvenWrite } from '../../session/proven-write.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { toast } from '../../ui/toast.ts';
import css from './settings.module.css';
import { SettingsTabs } from './tabs.tsx';

type Member = Output<typeof listMembers>['items'][number];

const INVITED = ['admin', 'member', 'viewer'] as const;
const ROLES = ['owner', ...INVITED] as const;

/** Who may work in the account, in which role, and who is invited. */
export function People() {
  const t = useText();
  const { data, error, refetch } = useRead(listMembers, {});
  const { data: profile } = useRead(getProfile, {});
  const [leaving, setLeaving] = useState<Member>();
  const mayChange = profile?.role === 'owner' || profile?.role === 'admin';
  const hasSeat = data !== undefined && (data.seats.limit < 0 || data.seats.used < data.seats.limit);
  return (
    <Page name={t('people.title')} tabs={<SettingsTabs />}>
      <div className={css.settings}>
        <FaultBanner fault={error} retry={() => void refetch()} />
        {mayChange && hasSeat && <Invite />}
        {data && (
          <section className="block" aria-labelledby="members">
            <header>
              <h2 className="h3" id="members">
                {t('people.members')}
              </h2>
              <span className="cap num">
                {data.seats.limit < 0
                  ? t('people.seatsUsed', { count: data.seats.used })
                  : t('people.seats', { used: data.seats.used, limit: data.seats.limit })}
              </span>
            </header>
            <table className={`ledger ${css.members}`}>
              <tbody>
                {data.items.map((member) => (
                  <MemberRow
                    key={member.id}
                    member={member}
                    mayChange={mayChange}
                    isMe={member.id === profile?.id}
                    remove={() => setLeaving(member)}
                  />
                ))}
              </tbody>
            </table>
          </section>
        )}
        {leaving && <Remove member={leaving} close={() => setLeaving(undefined)} />}
      </div>
    </Page>
  );
}

function Invite() {
  const t = useText();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof INVITED)[number]>('member');
  const { write, isBusy, fault, proof } = useProvenWrite(inviteMember, {
    changes: [listMembers],
    onDone: ({ email: to, mail_sent: isSent, warnings }) => {
      setEmail('');
      toast(
        isSent ? t('people.invited', { email: to ?? '' }) : warnings.map(({ message }) => message).join(' '),
      );
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ email: email.trim(), role });
  };
  return (
    <form className={css.invite} onSubmit={submit}>
      {proof}
      <FaultBanner fault={fault?.about('email') === undefined ? fault : null} />
      <TextInput
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="off"
        required
        value={email}
        error={fault?.about('email')}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <NativeSelect
        label={t('profile.role')}
        name="role"
        value={role}
        onChange={({ currentTarget }) =>
          setRole(INVITED.find((one) => one === currentTarget.value) ?? 'member')
        }
        data={INVITED.map((value) => ({ value, label: t(`people.role.${value}`) }))}
      />
      <Button type="submit" variant="filled" loading={isBusy}>
        {t('people.invite')}
      </Button>
    </form>
  );
}

type MemberRowProps = {
  readonly member: Member;
  readonly mayChange: boolean;
  readonly isMe: boolean;
  readonly remove: () => void;
};

function MemberRow({ member, mayChange, isMe, remove }: MemberRowProps) {
  const t = useText();
  const { id, name, email, role, status, created_at: since } = member;
  const { write, fault, proof } = useProvenWrite(updateMember, {
    changes: [listMembers],
    onDone: () => toast(t('people.changed', { name: name || (email ?? '') })),
  });
  return (
    <tr>
      <td className="m">{fullDate(since)}</td>
      <td>
        <div className="col gap1">
          <span className="strong">{name || email}</span>
          {name !== '' && <span className="small dim">{email}</span>}
        </div>
        {proof}
        <FaultBanner fault={fault} />
      </td>
      <td>
        <State kind={status === 'active' ? 'ok' : 'void'}>{t(`people.status.${status}`)}</State>
      </td>
      <td>
        {mayChange && !isMe ? (
          <NativeSelect
            size="xs"
            aria-label={t('people.roleOf', { name: name || (email ?? '') })}
            value={role}
            onChange={({ currentTarget }) =>
              write({ member_id: id, role: ROLES.find((one) => one === currentTarget.value) ?? role })
            }
            data={ROLES.filter((one) => status === 'active' || one !== 'owner').map((value) => ({
              value,
              label: t(`people.role.${value}`),
            }))}
          />
        ) : (
          t(`people.role.${role}`)
        )}
      </td>
      <td className="n">
        {mayChange && !isMe && (
          <Button size="xs" variant="subtle" color="red" onClick={remove}>
            {t('people.remove')}
            <span className="sr"> {name || email}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

function Remove({
  member: { id, name, email, status },
  close,
}: {
  readonly member: Member;
  readonly close: () => void;
}) {
  const t = useText();
  const who = name || (email ?? '');
  const { write, isBusy, fault, proof } = useProvenWrite(removeMember, {
    changes: [listMembers],
    onDone: () => {
      toast(t('people.removed', { name: who }));
      close();
    },
  });
  return (
    proof || (
      <Confirm
        title={t('people.removeTitle', { name: who })}
        act={t('people.remove')}
        fault={fault}
        isBusy={isBusy}
        onConfirm={() => write({ member_id: id })}
        close={close}
      >
        {t(status === 'active' ? 'people.removeAbout' : 'people.withdrawAbout')}
      </Confirm>
    )
  );
}

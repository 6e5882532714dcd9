import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ApiFault } from '../../api/fault.ts';
import { listAccounts } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { fullDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { workIn } from '../../session/session.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { State } from '../../ui/state.tsx';
import { acceptInvitation } from '../sign-in/invitation.tsx';

/** The accounts that the person belongs to, and those that invite them; nothing for who has one and no invitation. */
export function Accounts() {
  const t = useText();
  const [failed, setFailed] = useState<ApiFault | null>(null);
  const { data, error, refetch } = useRead(listAccounts, {});
  const { items = [], invitations = [] } = data ?? {};
  const retry = () => {
    setFailed(null);
    void refetch();
  };
  if (!error && items.length < 2 && invitations.length === 0) return null;
  return (
    <section className="block" aria-labelledby="accounts">
      <header>
        <h2 className="h3" id="accounts">
          {t('accounts.title')}
        </h2>
      </header>
      <FaultBanner fault={error ?? failed} retry={retry} />
      <table className="ledger">
        <tbody>
          {items.map(({ id, name, role, current, status, restorable_until: until }) => (
            <tr key={id}>
              <td>
                <div className="col gap1">
                  <span className="strong">{name}</span>
                  <span className="small dim">{role && t(`people.role.${role}`)}</span>
                </div>
              </td>
              <td className="n">
                {status === 'deleted' ? (
                  <span className="small dim">
                    {t('accounts.deleted', { date: until === undefined ? '' : fullDate(until) })}
                  </span>
                ) : current ? (
                  <State kind="ok">{t('accounts.here')}</State>
                ) : (
                  <Button size="xs" onClick={() => workIn(id)}>
                    {t('accounts.work')}
                    <span className="sr"> {name}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
          {invitations.map(({ id, account, invited_by: who, role }) => (
            <tr key={id}>
              <td>
                <div className="col gap1">
                  <span className="strong">{account.name}</span>
                  <span className="small dim">
                    {t('invitation.about', { who, role: t(`people.role.${role}`) })}
                  </span>
                </div>
              </td>
              <td className="n">
                <Button size="xs" onClick={() => void acceptInvitation(id).catch(setFailed)}>
                  {t('invitation.accept')}
                  <span className="sr"> {account.name}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

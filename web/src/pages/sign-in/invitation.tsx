import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { send } from '../../api/call.ts';
import type { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import type { listAccounts } from '../../api/operations.gen.ts';
import { fullDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { signInPath } from '../../session/next.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { useToken, workIn } from '../../session/session.ts';
import { signOut } from '../../session/sign-out.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Card } from './card.tsx';

export type Invitation = Output<typeof listAccounts>['invitations'][number];

/** The page that the email of an invitation leads to: who invites to what, and the answer. */
export function InvitationPage() {
  const t = useText();
  const { token: name = '' } = useParams();
  const [failed, setFailed] = useState<ApiFault | null>(null);
  const [isDeclined, setDeclined] = useState(false);
  const path = `/api/v1/invitations/${encodeURIComponent(name)}`;
  const { data, error, refetch } = useQuery<Invitation, ApiFault>({
    queryKey: ['invitation', name],
    queryFn: async ({ signal }) => (await send('GET', path, undefined, signal)).json(),
  });
  useEffect(() => {
    document.title = `${t('invitation.title')} · Stallhand`;
  }, [t]);
  const decline = () => send('POST', `${path}/decline`).then(() => setDeclined(true), setFailed);
  const title = isDeclined ? t('invitation.declined') : (data?.account.name ?? t('invitation.title'));
  return (
    <Card>
      <FaultBanner
        fault={failed ?? error}
        {...(error && error.status !== 404 && { retry: () => void refetch() })}
      />
      <div>
        <h1 className="sign">{title}</h1>
        {data && !isDeclined && (
          <>
            <p className="mid">
              {t('invitation.about', { who: data.invited_by, role: t(`people.role.${data.role}`) })}
            </p>
            <p className="small dim">
              {t('invitation.for', { email: data.email, date: fullDate(data.expires_at) })}
            </p>
          </>
        )}
      </div>
      {data && !isDeclined && (
        <div className="col gap3">
          <Accepting name={name} setFailed={setFailed} />
          <Button onClick={() => void decline()}>{t('invitation.decline')}</Button>
        </div>
      )}
      {(isDeclined || error?.status === 404) && <Link href="/">{t('invitation.home')}</Link>}
    </Card>
  );
}

type AcceptingProps = { readonly name: string; readonly setFailed: (fault: ApiFault) => void };

/** Only a person who is signed in can accept. */
function Accepting({ name, setFailed }: AcceptingProps) {
  const t = useText();
  const [, go] = useLocation();
  const isSignedIn = useToken() !== undefined;
  const { data: config } = useServerConfig();
  const [isBusy, setBusy] = useState(false);
  const accept = () => {
    setBusy(true);
    acceptInvitation(name).catch((fault: ApiFault) => {
      setBusy(false);
      setFailed(fault);
    });
  };
  if (isSignedIn)
    return (
      <>
        <Button variant="filled" loading={isBusy} onClick={accept}>
          {t('invitation.accept')}
        </Button>
        <Button variant="subtle" onClick={signOut}>
          {t('invitation.other')}
        </Button>
      </>
    );
  if (config && config.auth.mode !== 'password') return <p className="mid">{t('invitation.nowhere')}</p>;
  return (
    <Button variant="filled" onClick={() => go(signInPath())}>
      {t('invitation.signIn')}
    </Button>
  );
}

/** Becomes a member and works there. @throws ApiFault */
export async function acceptInvitation(name: string): Promise<void> {
  const joined = await send('POST', `/api/v1/invitations/${encodeURIComponent(name)}/accept`);
  const { account }: Invitation = await joined.json();
  workIn(account.id);
}

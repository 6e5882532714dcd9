import '../../ui/styles/password.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import type { ApiFault } from '../../api/fault.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import { nextOf } from '../../session/next.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { useToken } from '../../session/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from './card.tsx';
import { CodeForm } from './code-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { exchange, listProviders } from './requests.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import type { Step } from './step.ts';

/** Why an identity provider's page led back without a code. */
const REASONS: Readonly<Record<string, TextKey>> = {
  access_denied: 'auth.canceled',
  account_exists: 'auth.accountExists',
  provider_unavailable: 'auth.providerDown',
};

/** Signing in and registering, on one card. */
export function SignIn() {
  const t = useText();
  const [path] = useLocation();
  const token = useToken();
  const { data: config } = useServerConfig();
  const [step, setStep] = useState<Step>({ at: 'password' });
  const [failed, setFailed] = useState<string>();
  const isNew = path === '/register';
  const arrival = useArrival(setStep, setFailed);
  useEffect(() => {
    document.title = `${t(isNew ? 'auth.register' : 'auth.signIn')} · Stallhand`;
  }, [t, isNew]);
  if (token !== undefined || config?.auth.mode === 'open')
    return <Redirect to={arrival ?? nextOf(location.search)} replace />;
  return (
    <Card>
      {failed && (
        <Banner tone="err" title={t('auth.failed')}>
          {failed}
        </Banner>
      )}
      {config?.auth.mode === 'oidc' ? (
        <Banner title={t('auth.elsewhere')}>
          {t('auth.elsewhereNext', { issuer: config.auth.issuer ?? '' })}
        </Banner>
      ) : (
        <Question step={step} isNew={isNew} setStep={setStep} />
      )}
    </Card>
  );
}

function Question({
  step,
  isNew,
  setStep,
}: {
  readonly step: Step;
  readonly isNew: boolean;
  readonly setStep: (step: Step) => void;
}) {
  const { data: providers = [] } = useQuery({ queryKey: ['providers'], queryFn: listProviders });
  const back = () => setStep({ at: 'password' });
  switch (step.at) {
    case 'password':
      return <PasswordForm isNew={isNew} providers={providers} setStep={setStep} />;
    case 'code':
      return <CodeForm email={step.email} setStep={setStep} back={back} />;
    case 'second_factor':
      return <SecondFactorForm challenge={step.challenge} back={back} />;
  }
}

/** Takes what an identity provider's page left behind the # of this address. Returns where the sign-in was to lead. */
function useArrival(setStep: (step: Step) => void, setFailed: (why: string) => void): string | undefined {
  const t = useText();
  const [arrival] = useState(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  const { code, error, return_to: returnTo } = arrival;
  useEffect(() => {
    if (code === undefined && error === undefined) return;
    history.replaceState(null, '', `${location.pathname}${location.search}`);
    if (error !== undefined) return setFailed(t(REASONS[error] ?? 'auth.providerFailed'));
    exchange(code ?? '').catch((fault: ApiFault) =>
      fault.code === 'second_factor_required'
        ? setStep({ at: 'second_factor', challenge: String(fault.data['challenge']) })
        : setFailed(fault.message),
    );
  }, [code, error, setStep, setFailed, t]);
  return returnTo === undefined ? undefined : nextOf(`?next=${encodeURIComponent(returnTo)}`);
}

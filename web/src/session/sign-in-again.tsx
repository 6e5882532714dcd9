import '../ui/styles/password.ts';
import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { CodeForm } from '../pages/sign-in/code-form.tsx';
import { logIn } from '../pages/sign-in/requests.ts';
import { SecondFactorForm } from '../pages/sign-in/second-factor-form.tsx';
import type { Step } from '../pages/sign-in/step.ts';
import { useAttempt } from '../pages/sign-in/use-attempt.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FaultBanner } from '../ui/fault-banner.tsx';
import { settle } from './ended.ts';
import { user } from './session.ts';

/** Over the page of a person whose session ended. What they typed stays, and calls that wait go on once they are back. */
export function SignInAgain({ isOver }: { readonly isOver: boolean }) {
  const t = useText();
  const { email } = user();
  const [step, setStep] = useState<Step>({ at: 'password' });
  // By this dialog, or in another tab.
  useEffect(() => {
    if (isOver) settle(true);
  }, [isOver]);
  const back = () => setStep({ at: 'password' });
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // A title of the dialog would be a second banner where another dialog is open below.
      attributes={{ content: { 'aria-label': t('ended.title') } }}
    >
      <div className="col gap4">
        <h2 className="h3">{t('ended.title')}</h2>
        {step.at === 'password' && <Password email={email ?? ''} setStep={setStep} />}
        {step.at === 'code' && <CodeForm email={step.email} setStep={setStep} back={back} />}
        {step.at === 'second_factor' && <SecondFactorForm challenge={step.challenge} back={back} />}
        <Button variant="subtle" onClick={() => settle(false)}>
          {t('ended.leave')}
        </Button>
      </div>
    </Dialog>
  );
}

type PasswordProps = { readonly email: string; readonly setStep: (step: Step) => void };

function Password({ email, setStep }: PasswordProps) {
  const t = useText();
  const [password, setPassword] = useState('');
  const { busy, fault, attempt } = useAttempt(setStep, email);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt(() => logIn({ email, password }));
  };
  return (
    <form className="col gap4" onSubmit={submit}>
      <p className="mid">{t('ended.about', { email })}</p>
      <FaultBanner fault={fault} />
      {/* For the browser's password manager. */}
      <input
        className="sr"
        type="text"
        autoComplete="username"
        readOnly
        value={email}
        aria-hidden
        tabIndex={-1}
      />
      <PasswordInput
        label={t('auth.password')}
        name="again"
        autoComplete="current-password"
        data-autofocus
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <div className="row dialog-acts">
        <Button variant="subtle" onClick={() => attempt(() => logIn({ email }))}>
          {t('auth.mailCode')}
        </Button>
        <Button type="submit" variant="filled" loading={busy} disabled={password === ''}>
          {t('auth.signIn')}
        </Button>
      </div>
    </form>
  );
}

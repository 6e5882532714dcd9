import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { useArrival } from '../../ui/focus.ts';
import { logIn, logInWithPasskey, type Provider, register } from './requests.ts';
import css from './sign-in.module.css';
import type { Step } from './step.ts';
import { useAttempt } from './use-attempt.ts';

type Props = {
  readonly isNew: boolean;
  readonly providers: readonly Provider[];
  readonly setStep: (step: Step) => void;
};

/** Email and password, and the other ways in: a code by email, a passkey, other services. */
export function PasswordForm({ isNew, providers, setStep }: Props) {
  const t = useText();
  const heading = useArrival();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { busy, fault, attempt } = useAttempt(setStep, email);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt(() => (isNew ? register({ email, name, password }) : logIn({ email, password })));
  };
  return (
    <form className="col gap4" onSubmit={submit}>
      <div>
        <h1 className="sign h1" ref={heading} tabIndex={-1}>
          {t(isNew ? 'auth.register' : 'auth.signIn')}
        </h1>
        <p className="mid">{t(isNew ? 'auth.registerAbout' : 'auth.signInAbout')}</p>
      </div>
      <FaultBanner fault={fault?.errors.length ? null : fault} />
      <TextInput
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        error={fault?.about('email')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {isNew && (
        <TextInput
          label={t('auth.name')}
          name="name"
          autoComplete="name"
          required
          value={name}
          error={fault?.about('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label={t('auth.password')}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        value={password}
        error={fault?.about('password')}
        aria-invalid={fault?.about('password') !== undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" fullWidth loading={busy}>
        {t(isNew ? 'auth.register' : 'auth.signIn')}
      </Button>
      <div className={css.or}>
        <span>{t('auth.or')}</span>
      </div>
      <Button
        fullWidth
        disabled={email === ''}
        onClick={() => attempt(() => (isNew ? register({ email, name, password: '' }) : logIn({ email })))}
      >
        {t('auth.mailCode')}
      </Button>
      {!isNew && 'PublicKeyCredential' in window && (
        <Button fullWidth onClick={() => attempt(logInWithPasskey)}>
          {t('auth.passkey')}
        </Button>
      )}
      {providers.map(({ id, label }) => (
        <Button key={id} component="a" href={startPath(id)} fullWidth>
          {t('auth.with', { provider: label })}
        </Button>
      ))}
      <p className="small mid">
        {t(isNew ? 'auth.already' : 'auth.newHere')}{' '}
        <Link href={`${isNew ? '/login' : '/register'}${location.search}`} className={css.link}>
          {t(isNew ? 'auth.signIn' : 'auth.register')}
        </Link>
      </p>
    </form>
  );
}

function startPath(provider: string): string {
  const next = new URLSearchParams(location.search).get('next') ?? '/dashboard';
  return `/auth/${encodeURIComponent(provider)}/start?${new URLSearchParams({ return_to: next })}`;
}

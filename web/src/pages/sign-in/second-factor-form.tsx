import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { logIn } from './requests.ts';

type Props = { readonly challenge: string; readonly back: () => void };

const SIX_DIGITS = /^\d{6}$/;

/** A code of the authenticator app, or a recovery code: the server takes either, and they look different. */
export function SecondFactorForm({ challenge, back }: Props) {
  const t = useText();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<ApiFault | null>(null);
  const submit = async () => {
    const typed = code.replace(/\s/g, '');
    const proof = SIX_DIGITS.test(typed)
      ? { challenge, totp: typed }
      : { challenge, recovery_code: code.trim() };
    await logIn(proof).catch((error: unknown) => setFault(error instanceof ApiFault ? error : null));
  };
  return (
    <form
      className="col gap4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div>
        <h1 className="sign h1">{t('auth.second.title')}</h1>
        <p className="mid">{t('auth.second.about')}</p>
      </div>
      <FaultBanner fault={fault} />
      <TextInput
        label={t('auth.second.code')}
        name="totp"
        autoComplete="one-time-code"
        autoFocus
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" fullWidth>
        {t('auth.signIn')}
      </Button>
      <Button variant="subtle" onClick={back}>
        {t('auth.startAgain')}
      </Button>
    </form>
  );
}

import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { logIn } from './requests.ts';
import type { Step } from './step.ts';

type Props = {
  readonly email: string;
  readonly setStep: (step: Step) => void;
  readonly back: () => void;
};

/** The code that was sent by email. One field, so it can be pasted and filled in by the browser. */
export function CodeForm({ email, setStep, back }: Props) {
  const t = useText();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<ApiFault | null>(null);
  const submit = async () => {
    try {
      await logIn({ email, code: code.replace(/\s/g, '') });
    } catch (error) {
      if (!(error instanceof ApiFault)) return;
      if (error.code === 'second_factor_required')
        setStep({ at: 'second_factor', challenge: String(error.data['challenge']) });
      else setFault(error);
    }
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
        <h1 className="sign h1">{t('auth.code.title')}</h1>
        <p className="mid">{t('auth.code.sent', { email })}</p>
      </div>
      <FaultBanner fault={fault?.about('code') === undefined ? fault : null} />
      <TextInput
        label={t('auth.code')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        value={code}
        error={fault?.about('code')}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" fullWidth>
        {t('auth.signIn')}
      </Button>
      <Button variant="subtle" onClick={back}>
        {t('auth.otherEmail')}
      </Button>
    </form>
  );
}

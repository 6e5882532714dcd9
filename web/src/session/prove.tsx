import '../ui/styles/password.ts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { send } from '../api/call.ts';
import { ApiFault } from '../api/fault.ts';
import { useText } from '../i18n/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FaultBanner } from '../ui/fault-banner.tsx';

type ProveProps = { readonly again: () => void; readonly close: () => void };

/** Asks who one is once more, by the password or by a code that is mailed. */
export function Prove({ again, close }: ProveProps) {
  const t = useText();
  const [by, setBy] = useState<'password' | 'code'>('password');
  const [value, setValue] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault | null>(null);
  const ask = async (body: Readonly<Record<string, string>>) => {
    setBusy(true);
    setFault(null);
    try {
      await send('POST', '/api/v1/auth/reauthenticate', body);
      return true;
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      setFault(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await ask({ [by]: value.trim() })) again();
  };
  const mail = async () => {
    if (!(await ask({}))) return;
    setValue('');
    setBy('code');
  };
  const field = {
    value,
    'data-autofocus': true,
    error: fault?.about(by),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setValue(currentTarget.value),
  };
  return (
    <Dialog onClose={close} title={t('prove.title')}>
      <form className="col gap4" onSubmit={(event) => void submit(event)}>
        <p className="mid">{t(by === 'code' ? 'prove.codeSent' : 'prove.about')}</p>
        <FaultBanner fault={fault?.about(by) === undefined ? fault : null} />
        {by === 'password' ? (
          <PasswordInput
            {...field}
            label={t('auth.password')}
            name="proof"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
          />
        ) : (
          <TextInput
            {...field}
            label={t('auth.code')}
            name="proof"
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
        <div className="row dialog-acts">
          {by === 'password' && (
            <Button variant="subtle" onClick={() => void mail()}>
              {t('auth.mailCode')}
            </Button>
          )}
          <Button type="submit" variant="filled" loading={isBusy} disabled={value === ''}>
            {t('prove.act')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

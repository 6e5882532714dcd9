import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { Dialog } from './dialog.tsx';
import { FaultBanner } from './fault-banner.tsx';

export type ConfirmProps = {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode;
  /** The verb and the object. */
  readonly act: string;
  readonly fault: Error | null;
  readonly isBusy: boolean;
  /** What must be typed first, for what cannot be undone. */
  readonly typed?: { readonly label: string; readonly value: string };
  readonly onConfirm: () => void;
  readonly close: () => void;
};

export function ConfirmDialog({
  title,
  children,
  act,
  fault,
  isBusy,
  typed,
  onConfirm,
  close,
}: ConfirmProps) {
  const t = useText();
  const [value, setValue] = useState('');
  const isSure = typed === undefined || value.trim() === typed.value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSure) onConfirm();
  };
  return (
    <Dialog onClose={close} title={title}>
      <form className="col gap4" onSubmit={submit}>
        <FaultBanner fault={fault} />
        <div className="mid">{children}</div>
        {typed && (
          <TextInput
            label={typed.label}
            autoComplete="off"
            data-autofocus
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
        )}
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" color="red" variant="filled" loading={isBusy} disabled={!isSure}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

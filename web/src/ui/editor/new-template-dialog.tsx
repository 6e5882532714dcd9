import '../styles/select.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Dialog } from '../dialog.tsx';
import { FaultBanner } from '../fault-banner.tsx';

type NewTemplateDialogProps = {
  readonly title: string;
  /** What a name may be. */
  readonly nameHint: string;
  /** What there is to start from, beside nothing. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly from: string;
  readonly setFrom: (from: string) => void;
  readonly create: (name: string) => void;
  readonly isBusy: boolean;
  /** What it starts from is not here yet. */
  readonly isWaiting?: boolean;
  readonly fault: Error | null;
  /** What is wrong with the name, in place of the fault. */
  readonly wrongName: string | undefined;
  readonly close: () => void;
  /** What is to know before. */
  readonly children?: ReactNode;
};

/** Asks for the name of a new template, and what it starts from: nothing, or any other. */
export function NewTemplateDialog({
  title,
  nameHint,
  choices,
  from,
  setFrom,
  create,
  isBusy,
  isWaiting = false,
  fault,
  wrongName,
  close,
  children,
}: NewTemplateDialogProps) {
  const t = useText();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWaiting) create(name.trim());
  };
  return (
    <Dialog onClose={close} title={title}>
      <form className="col gap4" onSubmit={submit}>
        <FaultBanner fault={wrongName === undefined ? fault : null} />
        <TextInput
          label={t('templates.name')}
          description={nameHint}
          required
          maxLength={100}
          autoComplete="off"
          data-autofocus
          value={name}
          error={wrongName}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('templates.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          data={[{ value: '', label: t('templates.blank') }, ...choices]}
        />
        {children}
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={isWaiting}>
            {t('templates.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

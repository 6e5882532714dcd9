import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { createBranch, listBranches } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';

type NewBranchProps = {
  readonly template: string;
  readonly from: string;
  readonly open: (name: string) => void;
  readonly close: () => void;
};

/** Names a new branch and opens it. */
export function NewBranch({ template, from, open, close }: NewBranchProps) {
  const t = useText();
  const [name, setName] = useState('');
  const { write, isBusy, fault } = useWrite(createBranch, {
    changes: [listBranches],
    onDone: (branch) => {
      close();
      open(branch.name);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ template, name, from });
  };
  return (
    <Dialog onClose={close} title={t('branches.new')}>
      <form className="col gap4" onSubmit={submit}>
        <FaultBanner fault={fault?.about('name') === undefined ? fault : null} />
        <TextInput
          label={t('branches.name')}
          description={t('branches.from', { branch: from })}
          required
          data-autofocus
          value={name}
          error={fault?.about('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('branches.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

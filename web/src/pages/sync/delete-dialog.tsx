import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiFault } from '../../api/fault.ts';
import { useText } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';

type DeleteDialogProps = {
  readonly title: string;
  /** What goes with it, and what stays. */
  readonly children: ReactNode;
  readonly act: string;
  readonly isBusy: boolean;
  readonly fault: ApiFault | null;
  readonly onConfirm: () => void;
  readonly close: () => void;
};

/** Asks before something is deleted for good. The safe way out has the focus. */
export function DeleteDialog({ title, children, act, isBusy, fault, onConfirm, close }: DeleteDialogProps) {
  const t = useText();
  return (
    <Dialog onClose={close} title={title} size={480}>
      <div className="col gap4">
        <div className="col mid">{children}</div>
        <FaultBanner fault={fault} />
        <div className="row dialog-acts">
          <Button variant="subtle" data-autofocus onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm}>
            {act}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

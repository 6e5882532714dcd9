import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import type { ApiFault } from '../../../api/fault.ts';
import { useText } from '../../../i18n/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { pathOf } from './path.ts';

type SaveConflictProps = {
  readonly template: string;
  readonly newest: number;
  readonly fault: ApiFault;
  /** Whether the newer version has been read: until then there is nothing that this could be saved on. */
  readonly isRead: boolean;
  readonly isBusy: boolean;
  readonly saveOver: () => void;
  readonly close: () => void;
};

/** Someone else saved a version since this one was opened: neither text is lost, and a person says what follows. */
export function SaveConflict(props: SaveConflictProps) {
  const { template, newest, fault, isRead, isBusy, saveOver, close } = props;
  const t = useText();
  const [, go] = useLocation();
  const compare = () => {
    close();
    go(`${pathOf(template)}?version=${newest}`);
  };
  return (
    <Dialog onClose={close} title={t('editor.saveTitle', { template })}>
      <div className="col gap4">
        <Banner tone="err" title={fault.title} id={fault.requestId}>
          {t('editor.moved')}
        </Banner>
        <div className="row wrap dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button data-autofocus disabled={!isRead} onClick={compare}>
            {t('editor.compareMoved')}
          </Button>
          <Button color="red" loading={isBusy} disabled={!isRead} onClick={saveOver}>
            {t('editor.saveOver')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

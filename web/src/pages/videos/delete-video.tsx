import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { deleteVideo, listVideos } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import type { Video } from './facts.ts';

/** Asks before a video is deleted: nothing brings it back, and its link stops working. */
export function DeleteVideo({ video, close }: { readonly video: Video; readonly close: () => void }) {
  const t = useText();
  const [, go] = useLocation();
  const { write, isBusy, fault } = useWrite(deleteVideo, {
    changes: [listVideos],
    said: t('video.deleted', { video: video.title }),
    onDone: () => go('/videos'),
  });
  return (
    <Dialog onClose={close} title={t('video.deleteTitle', { video: video.title })}>
      <div className="col gap4">
        <FaultBanner fault={fault} />
        <p className="mid">{t('video.deleteAbout')}</p>
        <div className="row dialog-acts">
          <Button variant="subtle" data-autofocus onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button color="red" variant="filled" loading={isBusy} onClick={() => write({ video_id: video.id })}>
            {t('video.delete')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

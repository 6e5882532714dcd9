import { Button } from '@mantine/core';
import { Download, Link2, RotateCcw, Square, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'wouter';
import { cancelVideo, getVideo, listVideos, retryVideo } from '../../api/operations.gen.ts';
import { ownPath } from '../../api/own-path.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.ts';
import { isUnfinished, type Video } from './facts.ts';
import { useFollowed } from './follow.ts';
import { Screen } from './screen.tsx';
import { VideoState } from './video-state.tsx';
import css from './watch.module.css';
import { Failure, Order, Progress, Warnings } from './watch.tsx';

const DeleteVideo = lazy(() =>
  import('./delete-video.tsx').then(({ DeleteVideo: One }) => ({ default: One })),
);

/** One video: on its way, done, or what went wrong. It changes in place as the server tells of it. */
export function VideoPage() {
  const t = useText();
  const { id = '' } = useParams<{ id: string }>();
  const { data: video, error, refetch } = useRead(getVideo, { video_id: id });
  const [isDeleting, setDeleting] = useState(false);
  useFollowed(video);
  const title = video?.title || t('video.untitled');
  return (
    <Page
      section="videos"
      name={video ? title : t('nav.videos')}
      crumbs={[{ to: '/videos', label: t('nav.videos') }]}
      title={
        video && (
          <>
            {title} <VideoState status={video.status} />
          </>
        )
      }
      {...(video && {
        actions: <Actions video={video} remove={() => setDeleting(true)} />,
        ...(isUnfinished(video) && { job: video.progress }),
      })}
    >
      <FaultBanner fault={error} retry={() => void refetch()} />
      {video && (
        <div className={css.watch}>
          <Screen video={video} />
          <div className="col gap5">
            {isUnfinished(video) && <Progress video={video} />}
            {video.status === 'failed' && <Failure video={video} />}
            <Warnings video={video} />
            <Order video={video} />
          </div>
        </div>
      )}
      {video && isDeleting && (
        <Suspense>
          <DeleteVideo video={video} close={() => setDeleting(false)} />
        </Suspense>
      )}
    </Page>
  );
}

/** The next step is filled: to download what is done, to try again what failed. */
function Actions({ video, remove }: { readonly video: Video; readonly remove: () => void }) {
  const t = useText();
  const changes = [getVideo, listVideos];
  const stop = useWrite(cancelVideo, { changes, said: t('video.stopped') });
  const retry = useWrite(retryVideo, { changes, said: t('video.retried') });
  if (isUnfinished(video))
    return (
      <Button
        leftSection={<Square className="icon s" />}
        loading={stop.isBusy}
        onClick={() => stop.write({ video_id: video.id })}
      >
        {t('video.stop')}
      </Button>
    );
  return (
    <>
      <Button variant="subtle" color="red" leftSection={<Trash2 className="icon" />} onClick={remove}>
        {t('video.delete')}
      </Button>
      {video.url === null ? (
        <Button
          variant="filled"
          leftSection={<RotateCcw className="icon" />}
          loading={retry.isBusy}
          onClick={() => retry.write({ video_id: video.id })}
        >
          {t('video.retry')}
        </Button>
      ) : (
        <>
          <CopyLink url={video.url} />
          <Button
            component="a"
            href={`${ownPath(video.url)}&download=1`}
            download
            variant="filled"
            leftSection={<Download className="icon" />}
          >
            {t('video.download')}
          </Button>
        </>
      )}
    </>
  );
}

function CopyLink({ url }: { readonly url: string }) {
  const t = useText();
  const copy = async () => {
    // A browser may refuse, and has no clipboard at all on a page that is not secure.
    const isCopied = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    );
    toast(isCopied ? t('video.linkCopied') : t('video.linkRefused', { link: url }));
  };
  return (
    <Button leftSection={<Link2 className="icon" />} onClick={() => void copy()}>
      {t('video.copyLink')}
    </Button>
  );
}

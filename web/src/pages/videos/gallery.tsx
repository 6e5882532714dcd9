import '../../ui/styles/segmented.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { listVideos } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { isUnfinished } from './facts.ts';
import css from './gallery.module.css';
import { Starters } from './starters.tsx';
import { VideoCard } from './video-card.tsx';
import { VideoTabs } from './video-tabs.tsx';

const STATES = ['all', 'completed', 'failed'] as const;
const PAGE = 24;

/** The videos of the account on a wall, newest first. Those in the making are followed. */
export function VideoGallery() {
  const t = useText();
  const [chosen, setState] = useSearchParam('status');
  const [cursor, setCursor] = useSearchParam('cursor');
  const state = STATES.find((one) => one === chosen) ?? 'all';
  const filter = {
    limit: PAGE,
    ...(state !== 'all' && { status: state }),
    ...(cursor !== '' && { cursor }),
  };
  const { data, error, refetch, isPending } = useRead(listVideos, filter, {
    keepsLast: true,
    changesItself: ({ items }) => items.some(isUnfinished),
  });
  const isEmpty = data?.items.length === 0;
  const hasNone = isEmpty && state === 'all' && cursor === '';
  return (
    <Page
      name={t('nav.videos')}
      section="videos"
      tabs={<VideoTabs />}
      actions={
        <Button component={Link} href="/videos/new" variant="filled" leftSection={<Plus className="icon" />}>
          {t('videos.new')}
        </Button>
      }
    >
      {error && (
        <div className={css.tools}>
          <FaultBanner fault={error} retry={() => void refetch()} />
        </div>
      )}
      {hasNone ? (
        <Starters />
      ) : (
        <>
          <div className={`row wrap gap3 ${css.tools}`}>
            <SegmentedControl
              aria-label={t('videos.show')}
              value={state}
              onChange={(value) => setState(value === 'all' ? '' : value)}
              data={STATES.map((value) => ({ value, label: t(`videos.show.${value}`) }))}
            />
            <span className="cap push" role="status">
              {data && t('videos.count', { count: data.items.length })}
            </span>
          </div>
          <ul className={css.wall}>
            {isPending && (
              <AfterAWhile>
                {['a', 'b', 'c', 'd', 'e', 'f'].map((bone) => (
                  <li key={bone}>
                    <i className={`bone ${css.bone}`} />
                  </li>
                ))}
              </AfterAWhile>
            )}
            {data?.items.map((video) => (
              <li key={video.id}>
                <VideoCard video={video} />
              </li>
            ))}
          </ul>
          {isEmpty && (
            <p className="mid row">
              {t('videos.noHit')}
              <Link href="/videos">{t('action.clear')}</Link>
            </p>
          )}
          {data?.next_cursor && (
            <Button className={css.more} onClick={() => setCursor(data.next_cursor ?? '')}>
              {t('videos.next')}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

import { Link } from 'wouter';
import { ownPath } from '../../api/own-path.ts';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import { Tally } from '../../ui/tally.tsx';
import { clock, isPicture, isUnfinished, shapeOf, type Video } from './facts.ts';
import css from './video-card.module.css';
import { VideoState } from './video-state.tsx';

/** A video on the wall: its poster in its own shape, and below what there is to know. */
export function VideoCard({ video }: { readonly video: Video }) {
  return (
    <Link href={`/videos/${video.id}`} className={css.card}>
      <Poster video={video} />
      <span className={`strong clip ${css.title}`}>{video.title}</span>
      <Below video={video} />
    </Link>
  );
}

/** What a completed video shows at rest; a sheet with its title until then. */
export function Poster({ video }: { readonly video: Video }) {
  const { width, height, status, title, duration, progress } = video;
  const source = video.poster_url ?? (isPicture(video) ? video.url : null);
  return (
    <span className={css.shot} data-status={status} style={{ aspectRatio: `${width} / ${height}` }}>
      {source === null ? (
        <span className={`sign ${css.sheet}`} aria-hidden="true">
          {title}
        </span>
      ) : (
        <img src={ownPath(source)} alt="" loading="lazy" width={width} height={height} />
      )}
      {isUnfinished(video) && <i className={css.veil} style={{ height: `${100 - progress}%` }} />}
      <span className={`mono ${css.clock}`}>{clock(duration)}</span>
    </span>
  );
}

function Below({ video }: { readonly video: Video }) {
  const t = useText();
  const { status, title, template, frames } = video;
  if (status === 'completed')
    return (
      <span className="small dim clip">
        {shapeOf(video)} · {template}
      </span>
    );
  if (status === 'failed')
    return (
      <span className={css.failed}>
        <State kind="err">{video.error?.message ?? t('video.failed')}</State>
      </span>
    );
  if (!isUnfinished(video)) return <VideoState status={status} />;
  return (
    <span className="col gap1">
      <span className="row small">
        <VideoState status={status} />
        {frames.total > 0 && (
          <span className="num push dim">
            {t('video.framesOf', { done: frames.done, total: frames.total })}
          </span>
        )}
      </span>
      <span className={css.tally}>
        <Tally
          tone="mg"
          value={frames.done}
          max={frames.total}
          label={t('video.framesOfTitle', { video: title })}
        />
      </span>
    </span>
  );
}

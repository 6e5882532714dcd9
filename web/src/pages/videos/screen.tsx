import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { send } from '../../api/call.ts';
import { ownPath } from '../../api/own-path.ts';
import { useText } from '../../i18n/text.ts';
import { isPicture, isUnfinished, type Video } from './facts.ts';
import { Poster } from './video-card.tsx';
import css from './watch.module.css';

/** The video, or one frame of it while it is rendered, in the same place and shape. */
export function Screen({ video }: { readonly video: Video }) {
  const { url, width, height, title, poster_url: poster, captions_url: captions } = video;
  const t = useText();
  const shape = { aspectRatio: `${width} / ${height}` };
  if (url === null) return <Unfinished video={video} />;
  return (
    <div className={css.screen} data-wide={width > height || undefined}>
      {isPicture(video) ? (
        <img src={ownPath(url)} alt={title} width={width} height={height} style={shape} />
      ) : (
        <video
          controls
          playsInline
          preload="metadata"
          aria-label={title}
          src={ownPath(url)}
          style={shape}
          {...(poster !== null && { poster: ownPath(poster) })}
        >
          {captions !== null && (
            <track kind="captions" src={ownPath(captions)} label={t('make.captions')} default />
          )}
        </video>
      )}
    </div>
  );
}

/** A share of the length at which a template has settled. */
const AT_REST = 0.3;

function Unfinished({ video }: { readonly video: Video }) {
  const t = useText();
  const { id, title, width, height, duration } = video;
  const { data: frame } = useQuery({
    queryKey: ['video-frame', id],
    queryFn: async ({ signal }) => {
      const path = `/videos/${encodeURIComponent(id)}/frame?t=${duration * AT_REST}`;
      const response = await send('GET', path, undefined, signal, { Accept: 'image/jpeg' });
      return URL.createObjectURL(await response.blob());
    },
    enabled: isUnfinished(video),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  useEffect(() => () => URL.revokeObjectURL(frame ?? ''), [frame]);
  return (
    <div className={css.screen} data-wide={width > height || undefined}>
      {frame === undefined ? (
        <Poster video={video} />
      ) : (
        <img src={frame} alt={t('video.frameOf', { video: title })} width={width} height={height} />
      )}
    </div>
  );
}

import { Link } from 'wouter';
import { listTemplates, listVideos } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { EnvironmentTags } from '../../ui/tag.tsx';
import { isUnfinished } from '../videos/facts.ts';
import { VideoCard } from '../videos/video-card.tsx';
import { Block } from './block.tsx';
import css from './today.module.css';

const SHOWN = 6;
const VIDEOS_SHOWN = 3;

/** The videos that were made last or are being made, and the templates that changed last with where their versions are. */
export function LatestWork() {
  const t = useText();
  const { data } = useRead(listTemplates, { kind: 'template', limit: 200 });
  const { data: videos } = useRead(
    listVideos,
    { limit: VIDEOS_SHOWN },
    { changesItself: ({ items }) => items.some(isUnfinished) },
  );
  const latest = [...(data?.items ?? [])]
    .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
    .slice(0, SHOWN);
  return (
    <Block title={t('today.latest')}>
      {videos && videos.items.length > 0 && (
        <ul className={css.videos}>
          {videos.items.map((video) => (
            <li key={video.id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      )}
      <div className="lines">
        {latest.map(({ name, version, environments }) => (
          <div key={name}>
            <Link href={`/templates/${encodeURIComponent(name)}`}>{name}</Link>
            <span className="row">
              <span className="mono small">{version}</span>
              <EnvironmentTags
                names={Object.entries(environments).flatMap(([at, label]) => (label === version ? [at] : []))}
              />
            </span>
          </div>
        ))}
      </div>
    </Block>
  );
}

import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { listTemplates, listVideos } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Block } from './block.tsx';
import css from './today.module.css';
import { waitingTemplates } from './waiting-templates.ts';

const VIDEOS_SHOWN = 5;

/** Videos that failed, and templates whose newest version customers do not see yet, each with its next step. */
export function Waiting() {
  const t = useText();
  const { data, error, refetch } = useRead(listTemplates, { kind: 'template', limit: 200 });
  const { data: videos } = useRead(listVideos, { status: 'failed', limit: VIDEOS_SHOWN });
  const waiting = data ? waitingTemplates(data.items) : [];
  const failed = videos?.items ?? [];
  const count = waiting.length + failed.length;
  return (
    <Block title={t('today.waiting')} {...(count > 0 && { caption: count })}>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data && videos && count === 0 && <p className="mid">{t('today.nothingWaits')}</p>}
      <table className="ledger">
        <tbody>
          {failed.map(({ id, title, created_at, error }) => (
            <tr key={id}>
              <td className="m">{shortDate(created_at)}</td>
              <td>
                <div className="col gap1">
                  <span className="strong">{t('video.hasFailed', { video: title })}</span>
                  <span className={`small dim ${css.what}`}>{error?.message}</span>
                </div>
              </td>
              <td className={`n ${css.act}`}>
                <Link href={`/videos/${id}`} className={css.go}>
                  {t('today.look')}
                  <ArrowRight className="icon s" aria-hidden="true" />
                </Link>
              </td>
            </tr>
          ))}
          {waiting.map(({ name, version, shown, environment }) => (
            <tr key={name}>
              <td className="m">{version}</td>
              <td>
                <div className="col gap1">
                  <span className="strong">{name}</span>
                  <span className="small dim">
                    {shown === undefined
                      ? t('today.liveNowhere', { environment })
                      : t('today.behind', { environment, version: shown })}
                  </span>
                </div>
              </td>
              <td className={`n ${css.act}`}>
                <Link href={`/templates/${encodeURIComponent(name)}/environments`} className={css.go}>
                  {t('today.promote')}
                  <ArrowRight className="icon s" aria-hidden="true" />
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}

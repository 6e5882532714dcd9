import { Link } from 'wouter';
import { listHistory } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';

const SHOWN = 5;

/** The last generations, each a link to its hooks. */
export function LatestHooks() {
  const t = useText();
  const { data, error, refetch } = useRead(listHistory, { limit: SHOWN });
  return (
    <>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data && data.items.length > 0 && (
        <nav className="lines" aria-label={t('today.latestHooks')}>
          {data.items.map(({ id, topic, date }) => (
            <div key={id}>
              <Link href={`/history?open=${encodeURIComponent(id)}`} className="clip">
                {topic}
              </Link>
              <span className="small dim num">{shortDate(date)}</span>
            </div>
          ))}
        </nav>
      )}
    </>
  );
}

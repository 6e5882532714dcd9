import { listAuditEvents } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Block } from './block.tsx';
import { eventText } from './event-text.ts';
import css from './today.module.css';

const SHOWN = 12;

/** Who did what: people, keys and assistants in one list. */
export function Activity() {
  const t = useText();
  const { data, error, refetch } = useRead(listAuditEvents, { limit: SHOWN });
  return (
    <Block title={t('today.activity')} caption={t('today.activityAbout')}>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data?.items.length === 0 && <p className="mid">{t('today.activityEmpty')}</p>}
      <table className="ledger">
        <tbody>
          {data?.items.map((event) => (
            <tr key={event.id}>
              <td className="m">{shortDate(event.created_at)}</td>
              <td className={css.what}>{eventText(event, t)}</td>
              <td className={`n ${css.who}`}>{event.actor}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}

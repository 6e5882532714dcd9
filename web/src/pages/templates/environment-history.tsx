import type { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import type { listEnvironmentHistory } from '../../api/operations.gen.ts';
import { shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { EnvironmentTag } from '../../ui/tag.tsx';
import css from './environments.module.css';

type PointerEvent = Output<typeof listEnvironmentHistory>['items'][number];

type EnvironmentHistoryProps = { readonly events: readonly PointerEvent[]; readonly error: ApiFault | null };

/** Every move of both environments, newest first. A move back is a move: nothing is erased. */
export function EnvironmentHistory({ events, error }: EnvironmentHistoryProps) {
  const t = useText();
  const entries = [...events].sort((one, other) => other.created_at.localeCompare(one.created_at));
  return (
    <section className={`block ${css.history}`} aria-labelledby="history">
      <header>
        <h2 className="h3" id="history">
          {t('environmentHistory.title')}
        </h2>
        <span className="cap">{t('environmentHistory.about')}</span>
      </header>
      <FaultBanner fault={error} />
      <table className="ledger fold">
        <tbody>
          {entries.map(({ id, created_at, environment, previous, version, note, actor, forced }) => (
            <tr key={id}>
              <td className="m">{shortDate(created_at)}</td>
              <td>
                <EnvironmentTag name={environment} />
              </td>
              <td>
                {previous && <span className="was mono">{previous}</span>}{' '}
                <span className="now mono">{version}</span>
              </td>
              <td className="mid">{forced ? `${t('environmentHistory.forced')} ${note}` : note}</td>
              <td className="n dim">{actor}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

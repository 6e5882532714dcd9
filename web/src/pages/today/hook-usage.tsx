import { getUsage } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { number, shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Tally } from '../../ui/tally.tsx';
import { Block } from './block.tsx';
import css from './today.module.css';

/** The month's hooks: used, and remaining. */
export function HookUsage() {
  const t = useText();
  const { data, error, refetch } = useRead(getUsage, {});
  return (
    <Block title={t('today.hooks')}>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data && (
        <div className={css.used}>
          <span className="fig">
            {number(data.hooks_used)}
            <small>
              {' '}
              {data.hooks_limit > 0 ? t('usage.of', { limit: data.hooks_limit }) : t('usage.unlimited')}
            </small>
          </span>
          {data.hooks_limit > 0 && (
            <Tally value={data.hooks_used} max={data.hooks_limit} label={t('usage.label')} />
          )}
          <span className="small dim">
            {data.hooks_limit > 0 && t('usage.left', { count: data.remaining })}{' '}
            {t('usage.resets', { date: shortDate(data.resets_at) })}
          </span>
        </div>
      )}
    </Block>
  );
}

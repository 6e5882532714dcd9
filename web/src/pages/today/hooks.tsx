import { Link } from 'wouter';
import { getProfile, getUsage } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { monthName, number, shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Tally } from '../../ui/tally.tsx';
import { Block } from './block.tsx';
import { LatestHooks } from './latest-hooks.tsx';
import { QuickTopic } from './quick-topic.tsx';
import css from './today.module.css';

/** The month's hooks and the plan they belong to, a topic to write others about, and the last ones. */
export function Hooks() {
  const t = useText();
  const { data, error, refetch } = useRead(getUsage, {});
  return (
    <Block title={t('today.hooks')} {...(data && { caption: monthName(data.month) })}>
      <div className={css.hooks}>
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
        <Plan />
        <QuickTopic />
        <LatestHooks />
      </div>
    </Block>
  );
}

/** The current plan, and the way to another. */
function Plan() {
  const t = useText();
  const { data } = useRead(getProfile, {});
  if (!data) return null;
  return (
    <p className={css.plan}>
      <span>
        {t('today.plan')} <span className="strong">{data.subscription.display_name}</span>
      </span>
      <Link href="/billing">{t('quota.plans')}</Link>
    </p>
  );
}

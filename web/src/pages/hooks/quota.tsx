import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Output } from '../../api/operation.ts';
import { getUsage } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { dayName } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Tally } from '../../ui/tally.tsx';

type Usage = Output<typeof getUsage>;

/** What a visitor may assume where the plan cannot be read. */
const FREE_HOOKS = 3;

export const useUsage = () => useRead(getUsage, {});

export const isExhausted = ({ hooks_limit, remaining, credits }: Usage): boolean =>
  hooks_limit !== -1 && remaining <= 0 && credits <= 0;

/** How many hooks are left, as ticks and in words. */
export function QuotaBadge() {
  const t = useText();
  const { data, error } = useUsage();
  if (error) return <p className="small dim">{t('quota.unknown', { count: FREE_HOOKS })}</p>;
  if (!data) return null;
  const { hooks_used: used, hooks_limit: limit, remaining, credits, resets_at: resets } = data;
  return (
    <div className="col">
      {limit > 0 && <Tally value={used} max={limit} label={t('usage.label')} />}
      <Link href="/usage" className="small dim">
        {limit === -1
          ? t('quota.unlimited', { used })
          : t('quota.left', { remaining, limit, date: dayName(resets) })}
        {credits > 0 && ` ${t('quota.credits', { count: credits })}`}
      </Link>
    </div>
  );
}

/** No hooks are left: when there are again, and how to have more now. */
export function Exhausted({ message }: { readonly message?: string | undefined }) {
  const t = useText();
  const { data } = useUsage();
  return (
    <Banner
      tone="warn"
      title={message ?? t('quota.exhausted', { used: data?.hooks_used ?? 0, limit: data?.hooks_limit ?? 0 })}
      action={
        <div className="row wrap">
          <Button component={Link} href="/billing" size="xs" variant="filled">
            {t('quota.plans')}
          </Button>
          <Button component={Link} href="/billing#credits" size="xs">
            {t('quota.buy')}
          </Button>
        </div>
      }
    >
      {data && t('quota.resets', { date: dayName(data.resets_at) })}
    </Banner>
  );
}

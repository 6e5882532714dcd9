import { ArrowLeftRight, ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { useNames } from './names.ts';
import css from './run.module.css';
import type { RunRecord } from './run-state.tsx';

type RouteLineProps = {
  readonly run: Pick<RunRecord, 'store_id' | 'sheet_id' | 'direction'>;
  readonly children?: ReactNode;
};

/** From where to where a run writes. */
export function RouteLine({ run, children }: RouteLineProps) {
  const t = useText();
  const names = useNames();
  const store = names.store(run.store_id);
  const sheet = names.sheet(run.sheet_id);
  const storeEnd = (
    <span>
      <b>{names.storeName(run.store_id)}</b>
      <span className="cap">{store?.location_name || t('stores.noLocation')}</span>
    </span>
  );
  const sheetEnd = (
    <span>
      <b>{names.sheetName(run.sheet_id)}</b>
      <span className="cap">{sheet ? t('sheets.tabOf', { tab: sheet.sheet_name }) : ''}</span>
    </span>
  );
  const isToStore = run.direction === 'sheet_to_store';
  const Arrow = run.direction === 'two_way' ? ArrowLeftRight : ArrowRight;
  return (
    <div className={css.route}>
      {isToStore ? sheetEnd : storeEnd}
      <Arrow className="icon" aria-label={t(`sync.direction.${run.direction}`)} />
      {isToStore ? storeEnd : sheetEnd}
      <span className="cap push num">{children}</span>
    </div>
  );
}

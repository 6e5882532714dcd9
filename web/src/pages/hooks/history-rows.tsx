import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { useVirtualRows } from '../../ui/virtual-rows.ts';
import css from './history.module.css';
import type { Format, HistoryItem } from './use-download.ts';

type HistoryRowsProps = {
  readonly items: readonly HistoryItem[];
  readonly formats: readonly Format[];
  readonly open: (id: string) => void;
  readonly keep: (item: HistoryItem, format: Format) => void;
  /** Reads the next page; absent where there is none, or while it is read. */
  readonly more: (() => void) | undefined;
};

const ROW = 56;
const PHONE_ROW = 72;

/** The rows near the window, with room for the others. */
export function HistoryRows({ items, formats, open, keep, more }: HistoryRowsProps) {
  const t = useText();
  const table = useRef<HTMLTableElement>(null);
  const height = useMediaQuery('(max-width: 860px)') ? PHONE_ROW : ROW;
  const { from, to, above, below } = useVirtualRows(table, items.length, height);
  const { data: config } = useServerConfig();
  const platforms = new Map(
    config?.platforms.filter(({ id }) => id !== 'generic').map(({ id, label }) => [id, label]),
  );
  useEffect(() => {
    if (to >= items.length) more?.();
  }, [to, items.length, more]);
  return (
    <table className={`ledger ${css.history}`} ref={table} aria-rowcount={items.length + 1}>
      <thead>
        <tr>
          <th className="m">{t('history.when')}</th>
          <th>{t('generator.topic')}</th>
          <th className="opt">{t('generator.platform')}</th>
          <th className="n opt">{t('nav.hooks')}</th>
          <th className={css.files}>{t('history.download')}</th>
        </tr>
      </thead>
      <tbody>
        {above > 0 && <Room height={above} />}
        {items.slice(from, to).map((item, at) => (
          <tr key={item.id} aria-rowindex={from + at + 2} style={{ height }}>
            <td className="m">{shortDate(item.date)}</td>
            <td className={css.topic}>
              <button type="button" className={css.open} onClick={() => open(item.id)}>
                {item.topic}
              </button>
              <span className="small dim clip">{item.hooks[0]}</span>
            </td>
            <td className="dim opt">{platforms.get(item.platform ?? '') ?? ''}</td>
            <td className="n opt">{item.count}</td>
            <td className={css.files}>
              {formats.map((format) => (
                <button
                  key={format}
                  type="button"
                  className={css.file}
                  aria-label={t('history.downloadOf', { format: format.toUpperCase(), topic: item.topic })}
                  onClick={() => keep(item, format)}
                >
                  {format.toUpperCase()}
                </button>
              ))}
            </td>
          </tr>
        ))}
        {below > 0 && <Room height={below} />}
      </tbody>
    </table>
  );
}

function Room({ height }: { readonly height: number }) {
  return (
    <tr className={css.room}>
      <td className="m" style={{ height }} />
      <td colSpan={4} />
    </tr>
  );
}

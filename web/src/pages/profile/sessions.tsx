import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/call.ts';
import type { ApiFault } from '../../api/fault.ts';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { State } from '../../ui/state.tsx';

type Session = {
  readonly id: string;
  readonly last_used_at: string;
  readonly address: string | null;
  readonly device: string;
  readonly current: boolean;
};

const KEY = ['sessions'];

/** Where the person is signed in, and the way to end it there. */
export function Sessions() {
  const t = useText();
  const queries = useQueryClient();
  const [failed, setFailed] = useState<ApiFault | null>(null);
  const { data, error, refetch } = useQuery<readonly Session[], ApiFault>({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await (await send('GET', '/api/v1/auth/sessions', undefined, signal)).json()).items,
  });
  const end = (id: string) =>
    send('DELETE', `/api/v1/auth/sessions/${encodeURIComponent(id)}`).then(
      () => queries.invalidateQueries({ queryKey: KEY }),
      setFailed,
    );
  return (
    <section className="block" aria-labelledby="sessions">
      <header>
        <h2 className="h3" id="sessions">
          {t('sessions.title')}
        </h2>
      </header>
      <FaultBanner fault={error ?? failed} retry={() => void refetch()} />
      <table className="ledger">
        <tbody>
          {data?.map(({ id, device, address, last_used_at: used, current }) => (
            <tr key={id}>
              <td className="m">{ago(used)}</td>
              <td>
                <div className="col gap1">
                  <span className="strong">{device}</span>
                  <span className="small dim mono">{address}</span>
                </div>
              </td>
              <td className="n">
                {current ? (
                  <State kind="ok">{t('sessions.this')}</State>
                ) : (
                  <Button size="xs" onClick={() => void end(id)}>
                    {t('sessions.end')}
                    <span className="sr"> {device}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

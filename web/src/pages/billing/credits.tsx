import { Button } from '@mantine/core';
import { buyCredits, listCreditPackages } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { price } from '../../i18n/money.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { leaveToPay } from './purchase.ts';
import type { Summary } from './standing.tsx';

/** Hooks that are bought once and never expire. */
export function Credits({ summary }: { readonly summary: Summary }) {
  const t = useText();
  const { data, error, refetch } = useRead(listCreditPackages, {});
  const { write, isBusy, fault } = useWrite(buyCredits, {
    changes: [],
    onDone: ({ url }) => leaveToPay(url, { app: 'hooks', credits: summary.credits }),
  });
  return (
    <section className="block" aria-labelledby="credits">
      <header>
        <h2 className="h3" id="credits">
          {t('billing.credits')}
        </h2>
        <span className="cap">{t('billing.creditsAbout')}</span>
      </header>
      <FaultBanner fault={error ?? fault} retry={error ? () => void refetch() : undefined} />
      <table className="ledger">
        <tbody>
          {data?.items.map((one) => (
            <tr key={one.id}>
              <td className="m">{t('generator.written', { count: one.credits })}</td>
              <td className="strong">{price(one)}</td>
              <td className="n">
                {one.billing_enabled && (
                  <Button
                    size="xs"
                    loading={isBusy}
                    onClick={() => write({ package_id: one.id, success_url: '/billing' })}
                  >
                    {t('billing.buy')}
                    <span className="sr"> {t('generator.written', { count: one.credits })}</span>
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

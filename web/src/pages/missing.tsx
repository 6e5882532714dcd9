import { Link, useLocation } from 'wouter';
import { useText } from '../i18n/text.ts';
import { SECTIONS } from '../shell/sections.ts';
import { Page } from '../ui/page.tsx';

/** For an address that is no page. */
export function Missing() {
  const t = useText();
  const [path] = useLocation();
  return (
    <Page name={t('missing.title')}>
      <div className="col gap5 missing">
        <p className="sign h1">
          {t('missing.said')} <span className="was">{path}</span>
        </p>
        <p className="prose">{t('missing.why')}</p>
        <table className="ledger">
          <tbody>
            {SECTIONS.map(({ to, label }, at) => (
              <tr key={to}>
                <td className="m">{at + 1}</td>
                <td>
                  <Link href={to} className="strong">
                    {t(label)}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Page>
  );
}

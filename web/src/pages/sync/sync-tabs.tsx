import { Link, useLocation } from 'wouter';
import { useText } from '../../i18n/text.ts';
import { isBelow, SYNC_PARTS } from '../../shell/sections.ts';

/** The pages of the section, where the rail that lists them has no room: on phones. */
export function SyncTabs() {
  const t = useText();
  const [path] = useLocation();
  return (
    <nav className="tabs phone" aria-label={t('nav.sync')}>
      {SYNC_PARTS.map(({ to, label }) => (
        <Link key={to} href={to} aria-current={isBelow(path, to) ? 'page' : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}

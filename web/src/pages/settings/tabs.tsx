import { Link, useLocation } from 'wouter';
import type { PagePath } from '../../../../http/web/pages.ts';
import { type TextKey, useText } from '../../i18n/text.ts';

const TABS: readonly (readonly [PagePath, TextKey])[] = [
  ['/profile', 'nav.profile'],
  ['/settings/people', 'people.title'],
  ['/settings/account', 'account.title'],
];

export function SettingsTabs() {
  const t = useText();
  const [path] = useLocation();
  return (
    <nav className="tabs" aria-label={t('settings.pages')}>
      {TABS.map(([to, label]) => (
        <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}

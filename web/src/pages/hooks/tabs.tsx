import { Link, useLocation } from 'wouter';
import type { PagePath } from '../../../../http/web/pages.ts';
import { type TextKey, useText } from '../../i18n/text.ts';

const TABS: readonly (readonly [PagePath, TextKey])[] = [
  ['/generator', 'hooks.generator'],
  ['/history', 'hooks.history'],
  ['/billing', 'nav.billing'],
  ['/profile', 'nav.profile'],
  ['/docs', 'nav.docs'],
];

/** The tabs that the hook pages share. */
export function HooksTabs() {
  const t = useText();
  const [path] = useLocation();
  return (
    <nav className="tabs" aria-label={t('hooks.pages')}>
      {TABS.map(([to, label]) => (
        <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}

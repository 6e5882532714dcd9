import { Link, useLocation } from 'wouter';
import { type TextKey, useText } from '../../i18n/text.ts';

const TABS = [
  { to: '/videos', label: 'videos.made' },
  { to: '/videos/templates', label: 'videos.templates' },
] as const satisfies readonly { to: string; label: TextKey }[];

/** The two lists of the section: videos, and the templates they are made from. */
export function VideoTabs() {
  const t = useText();
  const [path] = useLocation();
  return (
    <nav className="tabs bare" aria-label={t('videos.lists')}>
      {TABS.map(({ to, label }) => (
        <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}

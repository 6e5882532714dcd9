import { ActionIcon } from '@mantine/core';
import { Search } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useText } from '../i18n/text.ts';
import { useFocusKept } from '../ui/focus.ts';
import { Mark } from '../ui/mark.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Account } from './account.tsx';
import { More } from './more.tsx';
import { SectionLink } from './section-link.tsx';
import { isBelow, isWithin, SECTIONS, type Section, SHARED } from './sections.ts';
import './shell.css';
import { useShortcuts } from './shortcuts.ts';

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: One }) => ({ default: One })));

/** The cover around the sheet: where one can go, and who one is. On phones it is a bar above and one below. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [isSearching, setSearching] = useState(false);
  const search = () => setSearching(true);
  useShortcuts(search);
  useFocusKept();
  return (
    <div className="shell">
      <a className="skip" href="#page">
        {t('nav.skip')}
      </a>
      <aside className="rail" aria-label={t('nav.menu')}>
        <div className="rail-head">
          <Brand />
          <button type="button" className="find" onClick={search}>
            <Search className="icon s" aria-hidden="true" />
            <span className="clip grow">{t('palette.open')}</span>
            <kbd className="k">{SEARCH_KEYS}</kbd>
          </button>
        </div>
        <nav aria-label={t('nav.sections')}>
          <ul>
            {SECTIONS.map((section) => (
              <li key={section.to}>
                <SectionLink section={section} className="nav-item" />
                <SectionParts section={section} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="rail-foot">
          <nav aria-label={t('nav.shared')}>
            <ul>
              {SHARED.map((section) => (
                <li key={section.to}>
                  <SectionLink section={section} className="nav-item" />
                </li>
              ))}
            </ul>
          </nav>
          <Account place="rail" />
        </div>
      </aside>
      <nav className="topbar" aria-label={t('nav.top')}>
        <Brand />
        <ActionIcon size={40} className="push" aria-label={t('palette.open')} onClick={search}>
          <Search className="icon" />
        </ActionIcon>
        <Account place="bar" />
      </nav>
      <div className="sheet" id="page" tabIndex={-1}>
        {children}
      </div>
      <nav className="tabbar" aria-label={t('nav.sections')}>
        {SECTIONS.map((section) => (
          <SectionLink key={section.to} section={section} />
        ))}
        <More />
      </nav>
      <Toasts />
      {isSearching && (
        <Suspense>
          <Palette close={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}

const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

function Brand() {
  return (
    <Link href="/dashboard" className="brand" aria-label="Stallhand">
      <Mark />
      <span className="sign">Stallhand</span>
    </Link>
  );
}

function SectionParts({ section }: { readonly section: Section }) {
  const t = useText();
  const [path] = useLocation();
  if (!section.parts || !isWithin(path, section)) return null;
  return (
    <ul className="nav-sub">
      {section.parts.map(({ to, label }) => (
        <li key={to}>
          <Link href={to} aria-current={isBelow(path, to) ? 'page' : undefined}>
            {t(label)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

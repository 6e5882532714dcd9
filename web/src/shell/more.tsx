import { Ellipsis } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useText } from '../i18n/text.ts';
import { SectionLink } from './section-link.tsx';
import { isWithin, SHARED } from './sections.ts';

/** What the bar of phones has no room for. */
export function More() {
  const t = useText();
  const [path] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const isOn = SHARED.some((section) => isWithin(path, section));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => list.current?.hidePopover(), [path]);
  return (
    <>
      <button type="button" popoverTarget="more" data-on={isOn || undefined}>
        <Ellipsis className="icon" aria-hidden="true" />
        <span>{t('nav.more')}</span>
      </button>
      <ul ref={list} id="more" popover="auto" className="more">
        {SHARED.map((section) => (
          <li key={section.to}>
            <SectionLink section={section} className="nav-item" />
          </li>
        ))}
      </ul>
    </>
  );
}

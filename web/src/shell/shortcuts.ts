import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { SECTIONS, SHARED } from './sections.ts';

const SEQUENCE_MS = 1_000;

/** `Mod+K` searches; `g` and a letter go to a section. Single keys do nothing where a person types. */
export function useShortcuts(search: () => void): void {
  const [, go] = useLocation();
  const begun = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isSearch(event)) {
        event.preventDefault();
        search();
        return;
      }
      if (hasModifier(event) || isTyping(event.target)) return;
      const section = [...SECTIONS, ...SHARED].find(({ key }) => key === event.key);
      if (section && event.timeStamp - begun.current < SEQUENCE_MS) go(section.to);
      begun.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [search, go]);
}

const isSearch = ({ metaKey, ctrlKey, key }: KeyboardEvent) =>
  (metaKey || ctrlKey) && key.toLowerCase() === 'k';

const hasModifier = ({ metaKey, ctrlKey, altKey }: KeyboardEvent) => metaKey || ctrlKey || altKey;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

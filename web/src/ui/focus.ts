import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';

/** The path whose page was last given the focus. */
let arrived: string | undefined;

/**
 * The heading of a page. It takes the focus when another page opens, and when what had the focus is gone: people at the keyboard
 * or with a screen reader go on there. The first page leaves the focus to the browser.
 */
export function useArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    const isOther = arrived !== undefined && path !== arrived;
    const isLost = document.activeElement === document.body && navigator.userActivation.hasBeenActive;
    arrived = path;
    if (isOther || isLost) heading.current?.focus({ preventScroll: true });
  }, [path]);
  return heading;
}

/** What had the focus gets it back when the dialog is gone; where that is gone too, the heading of the page. */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const { pathname } = location;
      // The dialog may have led to another page, whose heading takes the focus.
      if (document.activeElement !== document.body || pathname !== arrived) return;
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true });
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    },
    [opener],
  );
}

/**
 * A browser takes the focus from a button that is off, and ours are off while they work. Gives it back when the button is on
 * again, unless the person has gone elsewhere.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let held: HTMLElement | undefined;
    const watch = new MutationObserver(() => {
      if (document.activeElement === document.body) held?.focus({ preventScroll: true });
    });
    const onFocus = ({ target }: FocusEvent) => {
      watch.disconnect();
      held = target instanceof HTMLElement ? target : undefined;
      if (held) watch.observe(held, { attributeFilter: ['disabled'] });
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      watch.disconnect();
      document.removeEventListener('focusin', onFocus);
    };
  }, []);
}

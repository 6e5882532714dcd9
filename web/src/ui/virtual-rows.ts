import { type RefObject, useEffect, useState } from 'react';

/** Rows that are drawn beyond the window, and by how many at a time the range moves. */
const BEYOND = 12;

type Range = { readonly from: number; readonly to: number };

/**
 * Which rows of a long list are near the window, where all have one height. The others are room above and below, so that
 * ten thousand rows cost what a screenful does.
 */
export function useVirtualRows(list: RefObject<HTMLElement | null>, count: number, height: number) {
  const [{ from, to }, setRange] = useState<Range>({ from: 0, to: 4 * BEYOND });
  useEffect(() => {
    const measure = () => {
      const above = -(list.current?.getBoundingClientRect().top ?? 0);
      const first = Math.floor(above / height / BEYOND) * BEYOND - BEYOND;
      const last = first + Math.ceil(innerHeight / height / BEYOND) * BEYOND + 3 * BEYOND;
      const next = { from: Math.max(0, first), to: last };
      setRange((now) => (now.from === next.from && now.to === next.to ? now : next));
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [list, height]);
  const end = Math.min(count, to);
  const start = Math.min(from, end);
  return { from: start, to: end, above: start * height, below: (count - end) * height };
}

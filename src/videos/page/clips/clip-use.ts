import { dataNumber } from '../data-values.ts';
import type { ClipUse } from './clip-times.ts';

/** What the attributes of an element say; the host has checked them. */
export function clipUse(element: HTMLElement): ClipUse {
  const { start, from, to, speed, loop } = element.dataset;
  return {
    start: dataNumber(start, 0),
    from: dataNumber(from, 0),
    to: to === undefined ? undefined : dataNumber(to, Number.POSITIVE_INFINITY),
    speed: dataNumber(speed, 1),
    loop: element.hasAttribute('loop') || (loop !== undefined && loop !== 'false'),
  };
}

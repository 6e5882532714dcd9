import { Fault } from '../../errors.ts';
import { type CssUrl, cssUrls } from './css-urls.ts';

/** Maximum number of places in one text that may load something: each takes the server a little time to fill. */
export const MAX_LOADS = 10_000;

/** The external addresses of a style sheet. @throws Fault render_limit.loads */
export function loadedUrls(css: string, isElsewhere: (url: string) => boolean): CssUrl[] {
  const urls = cssUrls(css).filter(({ url }) => isElsewhere(url));
  if (urls.length > MAX_LOADS) throw new Fault('render_limit.loads', { limit: MAX_LOADS });
  return urls;
}

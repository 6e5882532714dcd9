import { Fault } from '../../errors.ts';
import { type CssUrl, cssUrls } from './css-urls.ts';

/** The most places of one text that may load something: putting them in holds the server a little each. */
export const MOST_LOADS = 10_000;

/** The addresses of a style sheet that lead elsewhere. @throws Fault render_limit.loads */
export function loadedUrls(css: string, isElsewhere: (url: string) => boolean): CssUrl[] {
  const urls = cssUrls(css).filter(({ url }) => isElsewhere(url));
  if (urls.length > MOST_LOADS) throw new Fault('render_limit.loads', { limit: MOST_LOADS });
  return urls;
}

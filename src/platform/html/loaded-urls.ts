import { Fault } from '../../errors.ts';
import { type CssUrl, cssUrls } from './css-urls.ts';

/** The most places of one text that may load something: putting them in holds the server a little each. */
export const MAX_LOADS = 10_000;

/** The addresses of a style sheet that lead elsewhere. @throws Fault render_limit.loads */
export function loadedUrls(css: string, isElsewhere: (url: string) => boolean): CssUrl[] {
  const urls = cssUrls(css).filter(({ url }) => isElsewhere(url));
  if (urls.length > MAX_LOADS) throw new Fault('render_limit.loads', { limit: MAX_LOADS });
  return urls;
}

import { Fault } from '../../errors.ts';
import { type CssUrl, cssUrls } from './css-urls.ts';

/** The most places of one text that may load something: putting them in holds the server a little each. */
export const MOST_LOADS = 10_000;

/** The addresses of a style sheet that lead elsewhere. @throws Fault render_limit.loads */
export function remoteUrls(css: string): CssUrl[] {
  const urls = cssUrls(css).filter(({ url }) => isRemote(url));
  if (urls.length > MOST_LOADS) throw new Fault('render_limit.loads', { limit: MOST_LOADS });
  return urls;
}

/** What is in the document already, or in the mail beside it, is left alone. */
export function isRemote(url: string): boolean {
  return !/^[\0- ]*(?:$|#|(?:data|cid|mid|about):)/i.test(url);
}

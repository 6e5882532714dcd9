import type { CssUrl } from '../../platform/html/css-urls.ts';
import { type HtmlPlaces, htmlPlaces, roleOf } from '../../platform/html/html-places.ts';
import { loadedUrls } from '../../platform/html/loaded-urls.ts';

/** The addresses of an email's style sheet that lead elsewhere. @throws Fault render_limit.loads */
export function remoteUrls(css: string): CssUrl[] {
  return loadedUrls(css, isRemote);
}

/** What is in the document already, or in the email beside it, stays unchanged. */
export function isRemote(url: string): boolean {
  return !/^[\0- ]*(?:$|#|(?:data|cid|mid|about):)/i.test(url);
}

/** Every place of an email where a client would load something from elsewhere. @throws Fault render_limit.loads */
export function mailPlaces(html: string): HtmlPlaces {
  return htmlPlaces(html, { scripts: false, isExternal: isRemote, roleOf });
}

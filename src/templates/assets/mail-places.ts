import { type HtmlPlaces, htmlPlaces, roleOf } from '../../platform/html/html-places.ts';
import { isRemote } from './remote-urls.ts';

/** Every place of a mail where a client would load something from elsewhere. @throws Fault render_limit.loads */
export function mailPlaces(html: string): HtmlPlaces {
  return htmlPlaces(html, { scripts: false, isExternal: isRemote, roleOf });
}

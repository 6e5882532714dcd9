import { Fault, type FaultKey, type FaultParams } from '../../errors.ts';
import type { CssUrl } from '../../platform/html/css-urls.ts';
import type { HtmlPlaces } from '../../platform/html/html-places.ts';
import { loadedUrls } from '../../platform/html/loaded-urls.ts';
import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';
import { type Inspection, inspectPage, namesFile, pagePlaces } from './inspect-page.ts';

/** The results by question. */
export type Readings = {
  readonly inspect: Inspection;
  readonly places: HtmlPlaces['places'];
  readonly urls: readonly CssUrl[];
};

export type ReadJob = { readonly question: keyof Readings; readonly text: string };

/** A Fault cannot be sent between threads, so its fields are. */
export type ReadResult =
  | { readonly answer: Readings[keyof Readings] }
  | { readonly fault: { readonly key: FaultKey; readonly params: FaultParams } };

const READERS: { readonly [Question in keyof Readings]: (text: string) => Readings[Question] } = {
  inspect: inspectPage,
  places: pagePlaces,
  urls: (css) => loadedUrls(css, namesFile),
};

/** Entry point of the thread. */
export function readPageJob({ question, text, begun }: Timed<ReadJob>): ReadResult {
  begin(begun);
  try {
    return { answer: READERS[question](text) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: { key: error.key, params: error.params } };
  }
}

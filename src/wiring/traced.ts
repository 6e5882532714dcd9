import type { Browser } from '../platform/browser/browser.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { RenderSession, RenderSessions } from '../videos/frames/frames.ts';

/** The same browser; what it prints and pictures is a span, with the wait for a page. */
export function tracedBrowser(browser: Browser, tracing: Tracing): Browser {
  return {
    ...browser,
    print: (...args) => tracing.span('browser print', {}, () => browser.print(...args)),
    screenshot: (...args) => {
      const attributes = { 'stallhand.screenshots': args[1].length };
      return tracing.span('browser screenshot', { attributes }, () => browser.screenshot(...args));
    },
  };
}

/** The same sessions of videos; opening a page, its chunks and its stills are spans. */
export function tracedSessions(sessions: RenderSessions, tracing: Tracing): RenderSessions {
  return {
    ...sessions,
    open: (...args) =>
      tracing.span('browser open', {}, async () => tracedSession(await sessions.open(...args), tracing)),
  };
}

function tracedSession(session: RenderSession, tracing: Tracing): RenderSession {
  return {
    ...session,
    get warnings() {
      return session.warnings;
    },
    renderChunk(request) {
      const { from, to } = request.span;
      const attributes = { 'stallhand.frame.from': from, 'stallhand.frame.to': to };
      return tracing.span('browser frames', { attributes }, () => session.renderChunk(request));
    },
    still: (...args) => tracing.span('browser still', {}, () => session.still(...args)),
  };
}

/** The name of a request's operation, from a short list; undefined where it has none. */
type NameOf = (url: URL, body: unknown) => string | undefined;

/** `fetch` to a service; each request is a span. Undefined without traces. Nothing is added to what is sent. */
export function tracedFetch(
  service: string,
  nameOf: NameOf,
  tracing: Tracing,
): typeof globalThis.fetch | undefined {
  if (!tracing.isOn) return undefined;
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const operation = nameOf(url, init?.body);
    const attributes = {
      'http.request.method': init?.method ?? 'GET',
      'stallhand.service': service,
      'stallhand.operation': operation,
    };
    const name = operation === undefined ? service : `${service} ${operation}`;
    return tracing.span(name, { kind: 'client', attributes }, async (span) => {
      const response = await fetch(input, init);
      span.set({ 'http.response.status_code': response.status });
      if (response.status >= 400) span.fail(String(response.status));
      return response;
    });
  };
}

/** Of the operations that we send ourselves: what they are about is in their variables. */
export const shopifyOperation: NameOf = (_url, body) =>
  typeof body === 'string' ? /(?:query|mutation) Stallhand(\w{1,40})\b/.exec(body)?.[1] : undefined;

/** The method of the API, without the spreadsheet: `values:batchGetByDataFilter`. */
export const sheetsOperation: NameOf = ({ pathname }) => {
  if (!pathname.startsWith('/v4/spreadsheets/')) return undefined;
  return /^\/v4\/spreadsheets\/[^/:]+(?:\/(values))?(:\w+)?$/.exec(pathname)?.slice(1).join('') || 'get';
};

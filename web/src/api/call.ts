import { language } from '../i18n/language.ts';
import { text } from '../i18n/text.ts';
import { isBackAfter, noteTaken } from '../session/ended.ts';
import { credentials, token, user } from '../session/session.ts';
import { ApiFault, faultOf } from './fault.ts';
import type { Input, Operation, Output } from './operation.ts';
import { takeReadAhead } from './reads-ahead.ts';
import { requestOf } from './request-of.ts';

/**
 * Calls an operation over REST, as the person who is signed in.
 * @throws ApiFault
 */
export async function call<Op extends Operation>(
  operation: Op,
  input: Input<Op>,
  signal?: AbortSignal,
): Promise<Output<Op>> {
  const { method, url, body } = requestOf(operation, input);
  const response = await send(method, url, body, signal);
  const answer: unknown = await response.json();
  return (Array.isArray(answer) ? pageOf(answer, response) : answer) as Output<Op>;
}

/** A list may come as an array, with the way to its next page in a header: the operation's answer has both. */
function pageOf(items: readonly unknown[], { headers }: Response) {
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  const cursor = next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor');
  return { items, next_cursor: cursor };
}

/**
 * Sends a request that no operation describes, such as signing in.
 * @throws ApiFault
 */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const bearer = token();
  const person = user().id;
  const ask = () =>
    fetch(url, {
      method,
      ...(signal && { signal }),
      headers: {
        Accept: 'application/json',
        'Accept-Language': language(),
        // Messages then say what to press, not which call to make.
        'Stallhand-Client': 'web',
        ...credentials(url),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const response = await (takeReadAhead(method, url) ?? ask()).catch((error: unknown) => {
    throw isAbort(error) ? error : offline();
  });
  if (response.ok && bearer && !OF_EVERYONE.test(url)) noteTaken(bearer);
  if (response.ok) return response;
  if (response.status === 401 && bearer && !OF_A_PROOF.test(url) && (await isBackAfter(bearer, person)))
    return send(method, url, body, signal, headers);
  throw await faultOf(response);
}

/** Answered to everyone, whatever the token. */
const OF_EVERYONE = /^\/api\/v1\/(config|auth\/providers|invitations\/[^/]+)$/;

/** There, 401 is about the password or code that was sent. */
const OF_A_PROOF = /^\/api\/v1\/auth\/(?!me$|sessions|logout)/;

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** No answer came, or not its end. */
export function offline(): ApiFault {
  return new ApiFault({
    status: 0,
    code: 'offline',
    title: text('fault.offline.title'),
    message: text('fault.offline'),
  });
}

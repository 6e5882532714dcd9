import { createHash } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale } from '../../src/language.ts';
import { brokenBound } from '../../src/platform/json-size.ts';
import type { Visit } from '../../tools/mcp/call.ts';
import type { KnownNames } from '../../tools/mcp/selection.ts';
import { type Authenticate, bearerToken } from '../auth/authentication.ts';
import { readJson } from '../body.ts';
import { baseUrlOf, localeOf, requestIdOf } from '../request.ts';
import { selectionsOf } from './selections.ts';
import type { Owner } from './sessions.ts';

export type Admission = {
  readonly authenticate: Authenticate;
  /** The language of callers that name none. */
  readonly language: Locale;
  /** Where people reach the server, for the links it answers; unset, where the request came in. */
  readonly publicUrl?: string | undefined;
};

/** A request that has been let in. */
export type Guest = {
  readonly visit: Visit;
  readonly auth: AuthInfo;
  /** Whose sessions the request may use. */
  readonly owner: Owner;
  /** The parsed body of a POST. */
  readonly body: unknown;
};

/** What a transport makes of a request that has been let in. */
export type McpDoor = {
  handle(req: Request, res: Response, guest: Guest): Promise<void>;
  close(): Promise<void>;
};

/**
 * Learns who sends a request and what they ask for; the body is only read of those who may send one.
 * @throws Fault unauthenticated, bad_request for a tool selection that is not one, and what the body parser throws.
 */
export async function admit(
  req: Request,
  res: Response,
  { authenticate, language, publicUrl }: Admission,
  known: KnownNames,
): Promise<Guest> {
  const caller = await authenticate(req);
  const selections = selectionsOf(req, known);
  const visit = {
    caller,
    locale: localeOf(req, language),
    requestId: requestIdOf(req),
    selections,
    baseUrl: baseUrlOf(req, publicUrl),
  };
  const auth = { token: '', clientId: caller.accountId, scopes: [...caller.scopes] };
  const body = req.method === 'POST' ? await bodyOf(req, res) : undefined;
  return { visit, auth, owner: ownerOf(req, caller), body };
}

/** Says in the protocol's words that there is no session to use. */
export function denySession(res: Response, reason: keyof typeof NO_SESSION): void {
  const { status, ...error } = NO_SESSION[reason];
  res.status(status).json({ jsonrpc: '2.0', id: null, error });
}

const NO_SESSION = {
  missing: {
    status: 400,
    code: -32000,
    message: 'Bad Request: call initialize first, then send Mcp-Session-Id',
  },
  // Also for a session of someone else: whether it exists is not theirs to know.
  unknown: { status: 404, code: -32001, message: 'Session not found: call initialize again' },
} as const;

/** With a digest, so that no credential is kept with the sessions; one credential is the same however its header is written. */
function ownerOf(req: Request, { accountId, appId }: Caller): Owner {
  // Its access token is another one every hour; the session stays that of the app.
  if (appId !== undefined) return { accountId, credential: appId };
  const header = req.get('Authorization');
  const token = header === undefined ? '' : bearerToken(header);
  return { accountId, credential: createHash('sha256').update(token).digest('base64url') };
}

/** Deeper than any call needs; what is nested further overflows the stack of the SDK. */
const BODY_BOUNDS = { levels: 200, chars: Number.POSITIVE_INFINITY };

/** @throws TooDeep, and what the body parser throws */
async function bodyOf(req: Request, res: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    readJson(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  if (brokenBound(req.body, BODY_BOUNDS)) throw new TooDeep();
  return req.body;
}

/** A body that no method takes. */
export class TooDeep extends Error {}

/** Says so in the protocol's words. */
export function denyBody(res: Response): void {
  const message = `Invalid Request: send JSON nested at most ${BODY_BOUNDS.levels} levels deep`;
  res.status(400).json({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
}

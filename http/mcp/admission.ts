import { createHash } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { Fault } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale } from '../../src/language.ts';
import type { Toolset } from '../../tools/contract/define.ts';
import type { Visit } from '../../tools/mcp/call.ts';
import type { Catalogue } from '../../tools/mcp/catalog.ts';
import { type Authenticate, bearerToken } from '../auth/authentication.ts';
import { readJson } from '../body.ts';
import { baseUrlOf, localeOf, requestIdOf } from '../request.ts';
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
 * @throws Fault unauthenticated, validation_failed for an unknown toolset, and what the body parser throws.
 */
export async function admit(
  req: Request,
  res: Response,
  { authenticate, language, publicUrl }: Admission,
  catalogue: Catalogue,
): Promise<Guest> {
  const caller = await authenticate(req);
  const toolsets = toolsetsOf(req, catalogue);
  const visit = {
    caller,
    locale: localeOf(req, language),
    requestId: requestIdOf(req),
    toolsets,
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

function toolsetsOf(req: Request, catalogue: Catalogue): readonly Toolset[] | undefined {
  const names = new URL(req.url, 'http://localhost').searchParams
    .getAll('toolsets')
    .flatMap((list) => list.split(','))
    .filter(Boolean);
  if (names.length === 0) return undefined;
  const unknown = names.find((name) => !catalogue.toolsets.some((toolset) => toolset === name));
  if (unknown !== undefined) {
    const known = catalogue.toolsets.join(', ');
    throw new Fault('validation_failed.toolsets', { name: unknown, known });
  }
  return catalogue.toolsets.filter((toolset) => names.includes(toolset));
}

/** With a digest, so that no credential is kept with the sessions; one credential is the same however its header is written. */
function ownerOf(req: Request, { accountId }: Caller): Owner {
  const header = req.get('Authorization');
  const token = header === undefined ? '' : bearerToken(header);
  return { accountId, credential: createHash('sha256').update(token).digest('base64url') };
}

async function bodyOf(req: Request, res: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    readJson(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return req.body;
}

import type { ErrorRequestHandler, Request, Response } from 'express';
import { Fault } from '../src/errors.ts';
import type { SecurityJournal } from '../src/identity/security-journal.ts';
import type { Locale, Reader } from '../src/language.ts';
import { databaseFault } from '../src/platform/database/database-fault.ts';
import type { Log } from '../src/platform/log.ts';
import type { Metrics } from '../src/platform/metrics/metrics.ts';
import type { Voice } from '../src/voice.ts';
import { logFault } from '../tools/contract/log-fault.ts';
import { asFault, problem } from '../tools/contract/problem.ts';
import { BODY_LIMIT, NOT_UTF8 } from './body.ts';
import type { Challenge } from './oauth/challenge.ts';
import { readerOf, requestIdOf } from './request.ts';
import { validationErrors } from './rest/validation-errors.ts';

type FaultHandlerDeps = {
  readonly log: Log;
  readonly language: Locale;
  readonly voice: Voice;
  readonly journal?: Pick<SecurityJournal, 'note'>;
  readonly metrics?: Pick<Metrics, 'httpError'>;
  /** What a refusal says of how to get in. */
  readonly challenge?: Challenge;
};

// A page of another site, or a name that is not ours.
const FOREIGN = ['forbidden.origin', 'forbidden.host'];

/** Turns whatever was thrown into the one problem answer; what is not the caller's fault goes to the log. */
export function createFaultHandler({
  log,
  language,
  voice,
  journal,
  metrics,
  challenge = plainChallenge,
}: FaultHandlerDeps): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    // The client of an aborted call no longer waits, and its end is not our fault.
    if (res.destroyed && isAbort(error)) return;
    const fault = faultOf(error);
    metrics?.httpError({ code: fault.code });
    logFault(log, fault, { request_id: requestIdOf(req) });
    if (FOREIGN.includes(fault.key))
      journal?.note(
        'request.refused',
        undefined,
        { address: req.ip },
        { reason: fault.key, ...fault.params },
      );
    // A stream that has begun cannot become an error answer; cutting it is the only sign left.
    if (res.headersSent) return next(error);
    const said = challenge(req, fault);
    if (said !== undefined) res.set('WWW-Authenticate', said);
    sendFault(req, res, fault, readerOf(req, { language, voice }));
  };
}

const plainChallenge: Challenge = (_req, { status }) =>
  status === 401 ? 'Bearer realm="stallhand"' : undefined;

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Writes a fault as `application/problem+json`, or as the video service's document has it. */
function sendFault(req: Request, res: Response, fault: Fault, reader: Reader): void {
  const { locale } = reader;
  const documented = validationErrors(fault, reader, req);
  if (documented) return void res.status(422).set('Content-Language', locale).json(documented);
  const body = problem(fault, reader, requestIdOf(req));
  if (fault.retryAfterSeconds !== undefined) res.set('Retry-After', String(fault.retryAfterSeconds));
  res.status(fault.status).set('Content-Language', locale);
  res.set('Content-Type', 'application/problem+json; charset=utf-8').end(JSON.stringify(body));
}

/** The Fault for any error: of the body parser, the router, the database or the product. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return parserFault(error) ?? databaseFault(error) ?? asFault(error);
}

function parserFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  switch ('type' in error ? error.type : undefined) {
    case 'entity.parse.failed':
      return new Fault('invalid_json.body', { reason: error.message });
    case NOT_UTF8:
      return new Fault('invalid_json.utf8');
    case 'entity.too.large':
      return new Fault('too_large.body', { limit: limitOf(error) });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Fault('unsupported_media_type.encoding');
    case 'request.aborted':
    case 'request.size.invalid':
      return new Fault('validation_failed.cut');
    default:
      // The router's word for a path whose percent-encoding is broken, and the parser's for bytes that do not unzip.
      if (error instanceof URIError) return new Fault('validation_failed.path');
      return 'status' in error && error.status === 400
        ? new Fault('unsupported_media_type.encoding')
        : undefined;
  }
}

/** The parser says which limit it was; files have another than JSON. */
function limitOf(error: Error): number {
  return 'limit' in error && typeof error.limit === 'number' ? error.limit : BODY_LIMIT;
}

import { expect, test } from 'vitest';
import { explain, Refused, refusalOf } from '../../cli/failure.ts';
import { Fault, type FaultKey, type FaultParams } from '../../src/errors.ts';
import { type Locale, localizeFault } from '../../src/language.ts';
import { restVoice } from '../../tools/contract/rest-voice.ts';
import { OPERATIONS } from './terminal.ts';

/** What a person reads of what the server says. */
function read(key: FaultKey, params: FaultParams, locale: Locale = 'en'): string {
  const fault = new Fault(key, params);
  const { detail } = localizeFault(fault, { locale, voice: restVoice(OPERATIONS.all) });
  return explain(new Refused({ status: fault.status, code: fault.code, detail, errors: [] }), OPERATIONS);
}

test.each([
  [
    'not_found.template',
    { name: 'a' },
    "Template 'a' not found. List templates with 'stallhand templates list'.",
  ],
  [
    'not_found.branch',
    { template: 'my mail', branch: 'x' },
    "Template 'my mail' has no branch 'x'. List branches with 'stallhand branches list \"my mail\"'.",
  ],
  [
    'forbidden.frozen',
    { environment: 'production' },
    "The environment production is frozen. Unfreeze it first: 'stallhand environments protect production --no-freeze'.",
  ],
  [
    'conflict.no_previous',
    { template: 'hello', environment: 'staging' },
    "staging has only been on one version of 'hello', so there is none to go back to. To show another version, use 'stallhand templates promote hello staging'.",
  ],
  [
    'unavailable.job_streams',
    { limit: 5 },
    "This account is already following 5 jobs and videos on this server. Close a stream, or check the status with 'stallhand jobs get JOB-ID'.",
  ],
  [
    'insufficient_scope.key',
    { tool: 'list_jobs', scope: 'x' },
    "'stallhand jobs list' requires the scope x, which your key or role lacks. Use a key that has it, or ask an account owner.",
  ],
] as const)('%s names the command', (key, params, told) => {
  expect(read(key, params)).toBe(told);
});

test.each(['en', 'es'] as const)('who is not signed in reads how a command signs in (%s)', (locale) => {
  expect(read('unauthenticated.missing', {}, locale)).toBe(
    "You are not signed in. Sign in with 'stallhand login URL', or set STALLHAND_API_KEY.",
  );
});

test('names it in Spanish sentences too', () => {
  expect(read('not_found.job', { id: 'job_1' }, 'es')).toBe(
    "No se encontró el trabajo job_1. Los trabajos terminados se conservan 7 días. Consulta la lista con 'stallhand jobs list'.",
  );
});

test('leaves calls that are no command as they are', () => {
  expect(read('not_found.passkey', { id: 'pk_1' })).toBe(
    'Passkey pk_1 not found. GET /auth/passkeys lists your passkeys.',
  );
});

test.each([
  [
    [{ loc: ['body', 'poster_at'], msg: 'must be a number', type: 'invalid_type' }],
    'The request is not valid:\n  --poster-at: must be a number',
  ],
  [[{ loc: ['body'], msg: 'Fields are missing.', type: 'validation_failed' }], 'Fields are missing.'],
])('what the video service rejects is read as flags too', async (detail, said) => {
  expect(explain(await refusalOf(Response.json({ detail }, { status: 422 })), OPERATIONS)).toBe(said);
});

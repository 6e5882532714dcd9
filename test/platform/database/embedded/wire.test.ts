import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFrontendReader,
  errorResponse,
  queryMessage,
  readBackend,
  readStatement,
  readyForQuery,
  startupMessage,
  syncMessage,
} from '../../../../src/platform/database/embedded/wire.ts';
import { bind, frame, parse } from '../../../support/wire-client.ts';

const SSL = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

describe('createFrontendReader', () => {
  test('messages come out the same wherever the stream was cut', () => {
    const messages = fc.array(
      fc.oneof(
        fc.string().map((text) => queryMessage(text.replaceAll('\0', ''))),
        fc.constant(syncMessage),
        fc.uint8Array({ maxLength: 300 }).map((body) => frame('d', Buffer.from(body).toString('latin1'))),
      ),
    );
    const cuts = fc.array(fc.nat());
    fc.assert(
      fc.property(messages, cuts, (sent, at) => {
        const start = [SSL, startupMessage({ user: 'a', database: 'b' })];
        const read = createFrontendReader();
        const got = split(Buffer.concat([...start, ...sent]), at).flatMap(read);
        expect(got.map(({ bytes }) => bytes.toString('hex'))).toEqual(
          [...start, ...sent].map((bytes) => bytes.toString('hex')),
        );
      }),
    );
  });

  test('the first packets have no type, the later ones do', () => {
    const read = createFrontendReader();
    const startup = startupMessage({ user: 'a' });
    expect(read(Buffer.concat([SSL, startup, syncMessage]))).toEqual([
      { kind: 'startup', code: 80877103, bytes: SSL },
      { kind: 'startup', code: 0x30000, bytes: startup },
      { kind: 'message', type: 'S', bytes: syncMessage },
    ]);
  });

  test.each([
    ['shorter than itself', Buffer.from([0, 0, 0, 3, 0, 0, 0, 0])],
    ['of two gigabytes', Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0])],
  ])('a message %s is refused', (_case, bytes) => {
    expect(() => createFrontendReader()(bytes)).toThrow(RangeError);
  });
});

test('a Query and a Parse tell their statement, other messages none', () => {
  expect(readStatement('Q', queryMessage('select 1'))).toEqual({ name: '', text: 'select 1' });
  expect(readStatement('P', parse('select $1', 's1'))).toEqual({ name: 's1', text: 'select $1' });
  expect(readStatement('B', bind('1'))).toBeUndefined();
});

test('an answer is cut into its messages', () => {
  const error = errorResponse({ severity: 'ERROR', code: '55P03', message: 'held', hint: 'wait' });
  expect(error.toString()).toBe('E\0\0\0&SERROR\0VERROR\0C55P03\0Mheld\0Hwait\0\0');
  expect(readBackend(Buffer.concat([error, readyForQuery('I')]))).toEqual([
    { type: 'E', bytes: error },
    { type: 'Z', bytes: Buffer.from('Z\0\0\0\u0005I') },
  ]);
});

function split(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at.map((n) => n % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

import { expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { storeFault } from '../../src/platform/stored-fault.ts';

test('what a database cannot keep of a text is replaced', () => {
  const fault = new Fault('script_failed.frame', { frame: 1, reason: 'a\0b\ud83d' });
  expect(storeFault(fault).params).toEqual({ frame: 1, reason: 'a\uFFFDb\uFFFD' });
});

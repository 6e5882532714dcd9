import { expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { plainVoice } from '../../src/voice.ts';
import { protocolError } from '../../tools/mcp/protocol-error.ts';

test.each([
  ['the caller', new Fault('not_found.template', { name: 'tea' }), -32602],
  ['ours', new Fault('internal.unexpected'), -32603],
])('a fault of %s has its own code of the protocol', (_whose, fault, code) => {
  expect(protocolError(fault, { locale: 'en', voice: plainVoice }).code).toBe(code);
});

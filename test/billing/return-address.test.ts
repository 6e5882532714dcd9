import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnAddress, successAddress } from '../../src/billing/return-address.ts';
import { samples } from '../support/samples.ts';

const places = {
  baseUrl: 'https://stallhand.test',
  origins: ['https://shop.example', 'http://localhost:3000'],
};
const read = (text: string) => returnAddress('success_url', text, places).href;

test.each([
  ['/billing', 'https://stallhand.test/billing'],
  ['billing?tab=2', 'https://stallhand.test/billing?tab=2'],
  ['https://stallhand.test/billing#plan', 'https://stallhand.test/billing#plan'],
  ['HTTPS://Stallhand.Test/billing', 'https://stallhand.test/billing'],
  ['https://shop.example/thanks', 'https://shop.example/thanks'],
  ['http://localhost:3000/', 'http://localhost:3000/'],
  ['/a/../b', 'https://stallhand.test/b'],
])('%s leads to %s', (text, address) => expect(read(text)).toBe(address));

test.each([
  '//evil.example',
  '///evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  'https:\\\\evil.example',
  'https://evil.example/billing',
  'https://stallhand.test@evil.example/',
  'https://user@stallhand.test/billing',
  'https://user:secret@stallhand.test/',
  'https://stallhand.test.evil.example/',
  'https://evilstallhand.test/',
  'https://sub.stallhand.test/',
  'http://stallhand.test/',
  'https://stallhand.test:8443/',
  'https://shop.example.evil/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,hello',
  'ftp://stallhand.test/',
  'https:evil.example',
  ' https://evil.example',
  '\t//evil.example',
  '/\t/evil.example',
  '\n//evil.example',
  'https://stallhand.test\u0000@evil.example',
  'https://st\u00adallhand.test.evil.example',
  'blob:https://stallhand.test/1',
  '',
])('%j is refused', (text) =>
  expect(() => read(text)).toThrow(expect.objectContaining({ key: 'validation_failed.return_url' })),
);

test('whatever is let through is of an allowed origin, for a browser too', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '@',
    ':',
    '.',
    'https:',
    'stallhand.test',
    'evil.example',
    '?',
    '#',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      try {
        read(text);
      } catch {
        return;
      }
      const seen = new URL(text, 'https://stallhand.test');
      expect(['https://stallhand.test', ...places.origins]).toContain(seen.origin);
      expect(seen.username).toBe('');
    }),
    { numRuns: samples(2000) },
  );
});

test('the address of success says so, and holds a place for the session', () => {
  const success = (text: string) => successAddress(returnAddress('success_url', text, places));
  expect(success('/billing')).toBe(
    'https://stallhand.test/billing?success=true&session_id={CHECKOUT_SESSION_ID}',
  );
  expect(success('/billing?success=true&tab=2&session_id=x#top')).toBe(
    'https://stallhand.test/billing?success=true&tab=2&session_id={CHECKOUT_SESSION_ID}#top',
  );
});

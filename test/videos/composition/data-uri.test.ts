import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDataUri } from '../../../src/videos/composition/collect-assets.ts';

test.each<[string, string, string]>([
  ['data:,hello', '', 'hello'],
  ['DATA:text/plain;charset=utf-8,a%20b%2', 'text/plain;charset=utf-8', 'a b%2'],
  ['data:image/svg+xml;base64,PHN2Zy8+', 'image/svg+xml', '<svg/>'],
  ['data:image/svg+xml ; BASE64 , PHN2\nZy8%2B ', 'image/svg+xml', '<svg/>'],
  ["data:image/svg+xml,<svg title='ñ'/>", 'image/svg+xml', "<svg title='ñ'/>"],
])('%s is read as a browser reads it', (address, contentType, text) => {
  const read = readDataUri(address);
  expect([read?.contentType.trim(), read?.bytes.toString()]).toEqual([contentType, text]);
});

test.each(['data:text/plain', 'data:;base64,a$', 'https://a.example/,', ''])('%s is none', (address) => {
  expect(readDataUri(address)).toBeUndefined();
});

test('any bytes survive base64 and percent-encoding', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      const expected = Buffer.from(bytes);
      expect(readDataUri(`data:;base64,${expected.toString('base64')}`)?.bytes).toEqual(expected);
      expect(readDataUri(`data:,${percent}`)?.bytes).toEqual(expected);
    }),
  );
});

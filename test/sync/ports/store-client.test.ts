import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { parseDomain } from '../../../src/sync/ports/store-client.ts';

test.each([
  ['shop.myshopify.com', 'shop.myshopify.com'],
  [' Shop-1.MyShopify.com\n', 'shop-1.myshopify.com'],
  ['https://shop.myshopify.com', 'shop.myshopify.com'],
  ['HTTPS://shop.myshopify.com/admin/products?x=1#top', 'shop.myshopify.com'],
  [`${'a'.repeat(60)}.myshopify.com`, `${'a'.repeat(60)}.myshopify.com`],
])('%j is the store %s', (text, domain) => {
  expect(parseDomain(text)).toBe(domain);
});

test.each([
  '',
  'shop',
  'shop.com',
  'myshopify.com',
  '.myshopify.com',
  '-shop.myshopify.com',
  `${'a'.repeat(61)}.myshopify.com`,
  'a.b.myshopify.com',
  'shop.myshopify.com.evil.example',
  'shop.myshopify.com:8080',
  'shop.myshopify.com@evil.example',
  'user:word@shop.myshopify.com',
  'http://shop.myshopify.com',
  'https://https://shop.myshopify.com',
  'evil.example/shop.myshopify.com',
  'evil.example#.myshopify.com',
  'evil.example\\.myshopify.com',
  'evil.example\n.myshopify.com',
  'shop.myshopify.com\0',
  'ѕhop.myshopify.com',
  'shop。myshopify.com',
])('%j is no domain of a store', (text) => {
  expect(() => parseDomain(text)).toThrow(
    new Fault('validation_failed.store_domain', { domain: text.trim() }),
  );
});

test('a very long text is quoted in part', () => {
  expect(() => parseDomain('x'.repeat(5000))).toThrow(
    new Fault('validation_failed.store_domain', { domain: 'x'.repeat(100) }),
  );
});

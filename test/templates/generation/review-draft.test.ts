import { expect, test } from 'vitest';
import { reviewDraft } from '../../../src/templates/generation/review-draft.ts';

const wish = { variables: [], given: 'See shop.example.com/sale?a=1&b=2 and https://example.com' };
const keys = (html: string, more = {}) =>
  reviewDraft({ html }, [], { ...wish, ...more }).map(({ key }) => key);

test.each([
  '<a href="https://shop.example.com/sale?a=1&amp;b=2">a</a>',
  '<a href="https://example.com/">a</a>',
  '<a href="{{cta_url}}">a</a>',
  '<a href="mailto:hello@elsewhere.example">a</a>',
  '<html xmlns="http://www.w3.org/1999/xhtml">',
])('%j makes nothing up', (html) => {
  expect(keys(html)).toEqual([]);
});

test.each([
  '<a href="https://example.org/login">a</a>',
  "<img src='https://cdn.example.net/hero.png'>",
  '<td background="https://cdn.example.net/hero.png">',
])('%j makes an address up', (html) => {
  expect(keys(html)).toEqual(['generated_address']);
});

test('a logo that is not shown is a flaw', () => {
  const logoUrl = 'https://example.com/logo.png?v=1&w=2';
  const given = logoUrl;
  expect(keys('<p>a</p>', { logoUrl, given })).toEqual(['generated_logo_missing']);
  expect(keys(`<img src="${logoUrl.replace('&', '&amp;')}">`, { logoUrl, given })).toEqual([]);
  expect(keys(`<img src="${logoUrl}">`, { logoUrl, given })).toEqual([]);
});

test('of the addresses made up, those among the first 100 are told', () => {
  const links = Array.from({ length: 150 }, (_, index) => `<a href="https://example.org/${index}">a</a>`);
  expect(keys(links.join(''))).toHaveLength(100);
});

import { describe, expect, it } from 'vitest';
import { helperDocs } from '../../../src/templates/engine/engine.ts';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { output, prepared } from './prepared.ts';

function text(source: string, data: JsonObject = {}, locale?: string): string | null {
  return output(prepared({ html: '', text: source }), data, { locale }).text;
}

const data = {
  n: 1234.5,
  s: '7',
  text: 'Straße',
  day: '2026-03-01',
  at: '2026-03-01T23:30:00Z',
  list: ['a', 2, null, true],
  items: [{ n: 1 }],
  none: null,
  empty: '',
  amount: '19.9',
};

describe('conditions', () => {
  it.each([
    ['{{eq 1 1}} {{eq s 7}} {{eq none missing}} {{eq missing gone}}', 'true false false true'],
    ['{{ne 1 1}} {{ne s 7}}', 'false true'],
    ['{{lt 2 10}} {{lt "2" "10"}} {{lt "b" "c"}} {{lt "b" 1}} {{lt none 1}}', 'true true true false false'],
    ['{{gt 2 10}} {{gt n 1}} {{gt "b" "a"}} {{gt items 0}}', 'false true true false'],
    ['{{and 1 "a" "b"}}|{{and 1 missing "b"}}|{{and 1 0}}', 'b||0'],
    ['{{or missing "" "x" "y"}}|{{or missing none}}|{{or list}}', 'x||a,2,,true'],
    ['{{not missing}} {{not list}} {{not ""}}', 'true false true'],
    ['{{#or missing n}}yes{{else}}no{{/or}}{{#not n}}yes{{else}}no{{/not}}{{#lt n 1}}yes{{/lt}}', 'yesno'],
  ])('%s', (source, expected) => expect(text(source, data)).toBe(expected));
});

describe('texts', () => {
  it.each([
    [
      '{{default missing "a"}} {{default none "b"}} {{default empty "c"}} {{default 0 "d"}} {{default false "e"}}',
      'a b c 0 false',
    ],
    ['{{upper text}} {{lower "ÀB"}} {{upper none}} {{upper n}}', 'STRASSE àb  1234.5'],
    [
      '{{truncate "abcdef" 3}} {{truncate "abc" 3}} {{truncate "a b c" 2 "..."}} {{truncate "a😀b😀" 2}}',
      'abc… abc a... a😀…',
    ],
    ['[{{truncate "abc" "x"}}{{truncate "abc" -1}}{{truncate missing 3}}]', '[]'],
    ['{{join list}} {{join list "-"}} [{{join "abc"}}{{join missing}}]', 'a, 2, , true a-2--true []'],
    ['{{encodeURIComponent "a b&c/é"}} [{{encodeURIComponent missing}}]', 'a%20b%26c%2F%C3%A9 []'],
    ['{{lookup list 1}} {{lookup items.[0] "n"}} [{{lookup list items}}{{lookup none "a"}}]', '2 1 []'],
  ])('%s', (source, expected) => expect(text(source, data)).toBe(expected));

  it('half a character is not an error', () => {
    expect(text('{{encodeURIComponent a}}', { a: '\ud800' })).toBe('%EF%BF%BD');
  });
});

describe('numbers and money', () => {
  it.each([
    [
      'en',
      '{{formatNumber n}} {{formatNumber s minimumFractionDigits=2}} {{formatNumber 0.25 style="percent"}}',
      '1,234.5 7.00 25%',
    ],
    ['de', '{{formatNumber n}} {{currency amount "EUR"}}', '1.234,5 19,90\u00a0€'],
    ['es-MX', '{{currency n "MXN"}}', '$1,234.50'],
    [
      'en',
      '{{currency n "USD" maximumFractionDigits=0}} {{currency n "JPY"}} {{currency n "eur" currencyDisplay="code"}}',
      '$1,235 ¥1,235 EUR\u00a01,234.50',
    ],
    [
      'en',
      '[{{formatNumber missing}}{{formatNumber "x"}}{{currency n missing}}{{currency n "EURO"}}{{currency none "EUR"}}{{formatNumber n style="bad"}}{{formatNumber n minimumFractionDigits=1000}}]',
      '[]',
    ],
  ])('in %s: %s', (locale, source, expected) => expect(text(source, data, locale)).toBe(expected));

  it.each([
    ['en', '1 item, 2 items, 0 items, 0 none'],
    ['fr', '1 item, 2 items, 0 item, 0 none'],
  ])('have the word forms of %s', (locale, expected) => {
    const source =
      '1 {{pluralize 1 "item" "items"}}, 2 {{pluralize "2" "item"}}, 0 {{pluralize 0 "item" "items"}}, 0 {{pluralize 0 "item" "items" zero="none"}}';
    expect(text(source, data, locale)).toBe(expected);
  });

  it('have the word forms a language adds', () => {
    const forms = 'one="jeden" few="kilka" many="wiele" other="inne"';
    expect(
      text(
        `{{pluralize 1 ${forms}}} {{pluralize 3 ${forms}}} {{pluralize 5 ${forms}}} {{pluralize list "a" "b"}}[{{pluralize "x" "a" "b"}}]`,
        data,
        'pl',
      ),
    ).toBe('jeden kilka wiele b[]');
  });
});

describe('dates', () => {
  it.each([
    [
      'en',
      '{{formatDate day}} {{formatDate day "short"}} {{formatDate day "long"}} {{formatDate day "full"}}',
      'Mar 1, 2026 3/1/26 March 1, 2026 Sunday, March 1, 2026',
    ],
    ['es', '{{formatDate day "long"}}', '1 de marzo de 2026'],
    [
      'en',
      '{{formatDate at "short" timeStyle="short"}} | {{formatDate at timeZone="Europe/Madrid" dateStyle="short"}}',
      '3/1/26, 11:30 PM | 3/2/26',
    ],
    [
      'en',
      '{{formatDate day timeZone="America/New_York"}} {{formatDate day weekday="long"}}',
      'Mar 1, 2026 Sunday',
    ],
    [
      'en',
      '{{formatDate "2026-03-01T10:00" hour="2-digit" minute="2-digit" hour12=false}} {{formatDate 0 "short"}}',
      '10:00 1/1/70',
    ],
    [
      'en',
      '[{{formatDate missing}}{{formatDate "tomorrow"}}{{formatDate "2026-13-45"}}{{formatDate day timeZone="No/Where"}}{{formatDate at "long" weekday="long"}}{{formatDate list}}{{formatDate 1e300}}]',
      '[Mar 1, 2026]',
    ],
  ])('in %s: %s', (locale, source, expected) => expect(text(source, data, locale)).toBe(expected));
});

describe('translations', () => {
  const translated = {
    name: 'Ana',
    translations: {
      'es-MX': { hi: 'Qué onda, {name}' },
      es: { hi: 'Hola, {name}', bye: 'Adiós', mail: { title: 'Título' }, 'mail.sub': 'Sub' },
      en: { hi: 'Hi, {name} {other}' },
    },
  };

  it.each([
    ['es-MX', 'Qué onda, Ana; Adiós; Título; Sub; none'],
    ['es-ar', 'Hola, Ana; Adiós; Título; Sub; none'],
    [undefined, 'Hi, Ana {other}; bye; mail.title; mail.sub; none'],
    ['not a locale', 'Hi, Ana {other}; bye; mail.title; mail.sub; none'],
  ])('in %s', (locale, expected) => {
    const source = '{{t "hi" name=name}}; {{t "bye"}}; {{t "mail.title"}}; {{t "mail.sub"}}; {{t "none"}}';
    expect(text(source, translated, locale)).toBe(expected);
  });

  it.each([
    ['de', 'Hi, Ana {other}'],
    ['es', 'Hola, Ana'],
  ])('in %s, a text that is not there is the English one, and a warning says so', (locale, expected) => {
    const { html: printed, warnings } = output('{{t "hi" name=name}}', translated, { locale });
    expect(printed).toBe(expected);
    const warned = { key: 'translation_missing', params: { variable: 'hi', locale } };
    expect(warnings).toEqual(locale === 'de' ? [warned] : []);
  });

  it('need none to be there', () => {
    expect(
      text('{{t "a.b"}} {{t name}} {{t missing}} {{@locale}}', { name: 'x', translations: 3 }, 'pt-br'),
    ).toBe('a.b x  pt-BR');
  });
});

it('every helper is documented', () => {
  expect(helperDocs.map(({ name }) => name)).toEqual(
    'if unless each with lookup eq ne lt gt and or not default formatDate formatNumber currency pluralize upper lower truncate join t encodeURIComponent'.split(
      ' ',
    ),
  );
  for (const { name, signature, about } of helperDocs) {
    expect(signature).toContain(name);
    expect(about).toMatch(/^[A-Z].*\.$/);
  }
});

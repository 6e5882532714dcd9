import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLATFORM_IDS, PLATFORMS, PLATFORMS_AS_OF } from '../../src/hooks/platforms.ts';
import { FREE_STYLES, STYLE_IDS, STYLES } from '../../src/hooks/styles.ts';
import { languageOf } from '../../src/hooks/text/language.ts';
import { countGraphemes, spokenSeconds, takeGraphemes } from '../../src/hooks/text/text.ts';

test.each(PLATFORM_IDS)('%s shows at most what it takes', (id) => {
  expect(PLATFORMS[id].visible).toBeLessThanOrEqual(PLATFORMS[id].hard);
});

test('the limits say when they were checked', () => {
  expect(PLATFORMS_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test('the limits that clients rely on', () => {
  expect(
    [PLATFORMS.youtube, PLATFORMS.youtube_shorts, PLATFORMS.x].map(({ hard, visible }) => [hard, visible]),
  ).toEqual([
    [100, 60],
    [100, 40],
    [280, 80],
  ]);
});

test.each([
  ['bread', 5],
  ['', 0],
  ['👨‍👩‍👧', 1],
  ['👍🏽👍🏽', 2],
  ['🇪🇸🇫🇷', 2],
  ['e\u0301', 1],
  ['นี่', 1],
  ['a\r\nb', 3],
])('%j has %i characters as people count them', (text, count) => {
  expect(countGraphemes(text)).toBe(count);
});

test('the beginning of a text never cuts a character, and is the longest that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(70), (text, count) => {
      const taken = takeGraphemes(text, count);
      const all = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      expect(taken).toBe(all.slice(0, count).join(''));
    }),
  );
});

test.each([
  ['Eight words are said in about three seconds.', 3],
  ['', 0],
  ['面包 发不起来', 1.9],
])('%j takes %f seconds to say', (text, seconds) => {
  expect(spokenSeconds(text)).toBeCloseTo(seconds, 0);
});

test.each([
  ['es-MX', 'es'],
  ['EN_us', 'en'],
  ['fr', undefined],
  ['est', undefined],
])('%s is our %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

test('there are twelve styles, six of them free, each with a card in both languages', () => {
  expect([STYLE_IDS.length, FREE_STYLES.length]).toEqual([12, 6]);
  expect(FREE_STYLES).toEqual(['curiosity', 'question', 'storytelling', 'urgency', 'list', 'how_to']);
  for (const id of STYLE_IDS) {
    const { label, why, examples } = STYLES[id];
    expect(STYLES[id].id).toBe(id);
    expect(label.en).not.toBe('');
    expect(label.es).not.toBe('');
    expect(why.en).not.toBe(why.es);
    expect([examples.en.length, examples.es.length]).toEqual([2, 2]);
  }
});

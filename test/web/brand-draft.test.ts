import { expect, test } from 'vitest';
import { changedFields, changeOf, draftOf } from '../../web/src/pages/brand/brand-draft.ts';

const brand = {
  name: 'Fern & Clay',
  colors: { primary: '#12543f', accent: '#d3f08a' },
  voice: { tone: 'Warm', samples: ['Fired twice.', 'Made to be used.'], forbidden_words: ['cheap', 'sale'] },
  languages: ['en', 'es'],
};

test('a brand becomes the fields of a form, its lists as people write them', () => {
  expect(draftOf(brand)).toEqual({
    name: 'Fern & Clay',
    'colors.primary': '#12543f',
    'colors.accent': '#d3f08a',
    'voice.tone': 'Warm',
    'voice.samples': 'Fired twice.\nMade to be used.',
    'voice.forbidden_words': 'cheap, sale',
    languages: 'en, es',
  });
});

test('only what changed is sent, and null for what was emptied', () => {
  const saved = draftOf(brand);
  const draft = {
    ...saved,
    'colors.accent': '',
    'voice.samples': 'Fired twice.\n\nFor every day.',
    'links.website': 'https://fernandclay.example',
    languages: 'pt',
  };
  expect(changedFields(saved, draft)).toEqual([
    'colors.accent',
    'voice.samples',
    'languages',
    'links.website',
  ]);
  expect(changeOf(saved, draft)).toEqual({
    colors: { accent: null },
    voice: { samples: ['Fired twice.', 'For every day.'] },
    links: { website: 'https://fernandclay.example' },
    languages: ['pt'],
  });
});

test('a form that nobody touched sends nothing', () => {
  expect(changeOf(draftOf(brand), draftOf(brand))).toEqual({});
});

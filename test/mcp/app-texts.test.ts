import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import en from '../../locales/apps/en.json' with { type: 'json' };
import es from '../../locales/apps/es.json' with { type: 'json' };

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const PAGES = new URL('../../tools/mcp/apps/page/', import.meta.url);
const code = readdirSync(PAGES)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, PAGES), 'utf8'))
  .join('\n');

/** Each text by app and key, with the places it has for values. */
function placesOf(texts: Texts) {
  return Object.entries(texts).flatMap(([app, own]) =>
    Object.entries(own).map(
      ([key, text]) =>
        `${app}.${key} ${
          text
            .match(/\{\w+\}/g)
            ?.sort()
            .join() ?? ''
        }`,
    ),
  );
}

test('apps say the same in both languages, with the same values', () => {
  expect(placesOf(es)).toEqual(placesOf(en));
});

test('apps have no text that they do not show', () => {
  const keys = Object.values(en as Texts).flatMap((own) => Object.keys(own));
  const stems = [...code.matchAll(/t\(`(\w+_)\$\{/g)].map(([, stem = '']) => stem);
  // The names of states, directions, environments and limits come as data.
  const data =
    /^(pending|rendering|finalizing|completed|canceled|production|staging|store_to_sheet|sheet_to_store|two_way|store|sheet|added|removed|\w+_percent)$/;
  const unused = keys.filter((key) => {
    const named = key.replace(/_one$/, '');
    return !code.includes(`'${named}'`) && !data.test(key) && !stems.some((stem) => key.startsWith(stem));
  });
  expect(unused).toEqual([]);
});

test('apps can count to one', () => {
  const counted = [...code.matchAll(/count\('(\w+)'/g)].map(([, key = '']) => key);
  const keys = Object.values(en as Texts).flatMap((own) => Object.keys(own));
  expect(keys).toEqual(expect.arrayContaining(counted.map((key) => `${key}_one`)));
});

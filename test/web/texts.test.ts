import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import en from '../../locales/web/en.json' with { type: 'json' };
import es from '../../locales/web/es.json' with { type: 'json' };
import { readBuiltIns } from '../../src/videos/templates/built-ins.ts';
import { isObject, type JsonObject } from '../../src/videos/templates/data-schema.ts';

const COMMON: ReadonlySet<string> = new Set(['style', 'locale', 'brand']);

type Texts = Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;

const SOURCES = fileURLToPath(new URL('../../web/src/', import.meta.url));

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
  .join('\n');

test('both languages have the same texts, in the same order', () => {
  expect(Object.keys(es)).toEqual(Object.keys(en));
});

test('a text names the same values in both languages', () => {
  const values = (texts: Texts) => Object.entries(texts).map(([key, text]) => [key, valuesOf(text)]);
  expect(values(es)).toEqual(values(en));
});

test('every text is used', () => {
  const isUsed = (key: string) =>
    sources.includes(`'${key}'`) ||
    sources.includes(`"${key}"`) ||
    sources.includes(`\`${key.replace(/[^.]+$/, '')}\${`);
  expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([]);
});

test('no component has a text of its own: between tags there are only values', () => {
  const found = [...sources.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)[.!?]?\s*</g)].map(([, text]) => text);
  expect(found).toEqual([]);
});

test('every built-in video template and each of its fields has words', async () => {
  const { templates } = await readBuiltIns();
  const lacking = templates.flatMap(({ name, manifest }) => [
    ...[`videoTemplate.${name}`, `videoTemplateAbout.${name}`].filter((key) => !(key in en)),
    ...fieldsOf(manifest.schema)
      .filter((field) => ![`videoField.${field}`, `videoField.${name}_${field}`].some((key) => key in en))
      .map((field) => `videoField.${field}`),
  ]);
  expect(lacking, 'add these keys to locales/web/en.json and es.json').toEqual([]);
});

/** The fields of a template's own: what all have in common is asked for elsewhere on the page. */
function fieldsOf({ properties }: JsonObject): string[] {
  return Object.keys(isObject(properties) ? properties : {}).filter((field) => !COMMON.has(field));
}

function valuesOf(text: Texts[string]): string[] {
  const sentences = typeof text === 'string' ? [text] : [text.one, text.other];
  return [
    ...new Set(sentences.flatMap((one) => [...one.matchAll(/\{(\w+)\}/g)].map(([name]) => name))),
  ].sort();
}

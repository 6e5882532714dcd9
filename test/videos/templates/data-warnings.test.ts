import { expect, test } from 'vitest';
import { localizeWarning, plainReader } from '../../../src/language.ts';
import { readBuiltIns } from '../../../src/videos/templates/built-ins.ts';
import type { JsonObject } from '../../../src/videos/templates/data-schema.ts';
import { dataWarnings } from '../../../src/videos/templates/data-warnings.ts';
import { Manifest } from '../../../src/videos/templates/video-template.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    subtitle: { type: 'string' },
    items: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } },
    brand: {
      type: 'object',
      properties: { color: { type: 'string' }, accent: { type: 'string' }, background: { type: 'string' } },
    },
    anything: { type: 'object', properties: {}, additionalProperties: true },
  },
};

function warned(data: JsonObject, schema: JsonObject = SCHEMA, variables: string[] = []) {
  const manifest = Manifest.parse({ title: 'Card', schema });
  return dataWarnings({ manifest, variables }, data).map((warning) =>
    localizeWarning(warning, plainReader('en')),
  );
}

test('fields that the template does not know are named, with the nearest one, or those that it has', () => {
  expect(warned({ subtitel: 'x', items: [{}, { labl: 'a' }], brand: { zzz: 1 } })).toEqual([
    {
      code: 'unknown_field',
      message: "The template does not use data.subtitel. Did you mean 'subtitle'?",
      field: 'data.subtitel',
    },
    {
      code: 'unknown_field',
      message: "The template does not use data.items.1.labl. Did you mean 'label'?",
      field: 'data.items.1.labl',
    },
    {
      code: 'unknown_field',
      message:
        'The template does not use data.brand.zzz. Fields here: color, accent, background. For what they mean: get_video_template.',
      field: 'data.brand.zzz',
    },
  ]);
});

test('common fields, fields that the HTML reads and those of open objects are known', () => {
  const data = { title: 'a', locale: 'es', price: 3, rows: [1], anything: { goes: 1 } };
  expect(warned(data, SCHEMA, ['price', 'rows[].label'])).toEqual([]);
  expect(warned({ a: 1 }, { type: 'object', properties: {}, additionalProperties: true })).toEqual([]);
});

test.each(['not-a-colour', '#12345', 'rgb(1,2', '12px'])('%s is not a color, which is a warning', (value) => {
  expect(warned({ brand: { color: value } })).toMatchObject([
    { code: 'color_unreadable', field: 'data.brand.color' },
  ]);
});

test.each([
  ...['#0f3', '#0F3D3E', 'Teal', ' rebeccapurple ', 'rgb(1 2 3 / 50%)', 'hsl(120deg 10% 20%)'],
  ...['oklch(60% 0.1 120)', 'color-mix(in srgb, red, blue)', 'var(--x)', 'currentColor', 'transparent', ''],
])("'%s' is a color", (value) => {
  expect(warned({ brand: { color: value } })).toEqual([]);
});

test('brand colors that can not be told from the background are a warning', () => {
  expect(warned({ brand: { color: '#0f3d3e', accent: '#ffffff', background: '#101010' } })).toEqual([
    {
      code: 'low_contrast',
      message:
        'data.brand.color is hard to see on brand.background: the contrast is 1.5:1. Choose colors with at least 3:1.',
      field: 'data.brand.color',
    },
  ]);
});

test('no built-in template warns of its own sample', async () => {
  const { templates } = await readBuiltIns();
  for (const { name, manifest } of templates)
    expect([name, dataWarnings({ manifest, variables: [] }, manifest.sample)]).toEqual([name, []]);
});

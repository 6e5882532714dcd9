import { expect, test } from 'vitest';
import { sampleData } from '../../../src/templates/rendering/sample-data.ts';
import { newCaller, openTestApp, useTools } from '../../support/app.ts';

const variable = (
  name: string,
  type: 'string' | 'array' | 'object' | 'number' | 'boolean' | 'html' = 'string',
  more = {},
) => ({
  name,
  type,
  required: true,
  declared: false,
  ...more,
});

test('sample data has a value of the right type at the place of every variable', () => {
  const variables = [
    variable('items[].price', 'number'),
    variable('items', 'array'),
    variable('items[].tags[]'),
    variable('user.[first name]'),
    variable('user.vip', 'boolean'),
    variable('shop_url'),
    variable('note', 'html'),
    variable('greeting', 'string', { default: 'Hello' }),
  ];
  expect(sampleData(variables)).toEqual({
    items: [{ price: 1, tags: ['tags'] }],
    user: { 'first name': 'first name', vip: true },
    shop_url: 'https://example.com/',
    note: '<p>note</p>',
    greeting: 'Hello',
  });
});

test('the data a validation suggests renders the content without a missing variable', async () => {
  const app = await openTestApp();
  const call = useTools(app, await newCaller(app));
  const html =
    '<a href="{{links.shop_url}}">{{user.[first name]}}</a>{{#each orders}}{{id}}{{#each items}}{{this}}{{/each}}{{/each}}{{#with shop}}{{name}}{{/with}}';
  const { suggested_data } = await call('validate_template', { html });
  expect(await call('render_template', { html, data: suggested_data, on_missing: 'error' })).toMatchObject({
    missing_variables: [],
    unused_variables: [],
  });
  await app.close();
});

import { describe, expect, test } from 'vitest';
import {
  timesUsed,
  typedValue,
  valueAt,
  valueText,
  withValueAt,
} from '../../web/src/pages/templates/sample-values.ts';
import { waitingTemplates } from '../../web/src/pages/today/waiting-templates.ts';

describe('values of variables', () => {
  test('a path reads and writes inside objects, and leaves the others as they are', () => {
    const values = { name: 'Ana', order: { number: 7, items: [1, 2] } };
    expect(valueAt(values, 'order.number')).toBe(7);
    expect(valueAt(values, 'order.number.more')).toBeUndefined();
    expect(withValueAt(values, 'order.number', 8)).toEqual({
      name: 'Ana',
      order: { number: 8, items: [1, 2] },
    });
    expect(withValueAt(values, 'shop.city', 'Cádiz')).toEqual({ ...values, shop: { city: 'Cádiz' } });
    expect(values.order.number).toBe(7);
  });

  test.each([
    ['12.5', 'number', 12.5],
    ['', 'number', ''],
    ['12,5', 'number', '12,5'],
    ['true', 'boolean', true],
    ['yes', 'boolean', 'yes'],
    ['007', 'string', '007'],
  ])('what is typed as %j for a %s is %j', (text, type, value) => {
    expect(typedValue(text, type)).toBe(value);
  });

  test('a list does not fit into one line', () => {
    expect([valueText([1]), valueText({ a: 1 }), valueText(undefined), valueText(0)]).toEqual([
      undefined,
      undefined,
      '',
      '0',
    ]);
  });

  test('uses of a variable are counted in expressions alone, by its whole name', () => {
    const source = '{{name}} {{#if name}}{{upper name}}{{/if}} name {{names}} {{order.name}} {{name.first}}';
    expect(timesUsed(source, 'name')).toBe(3);
  });
});

test('a template waits where its newest version has not reached an environment, first staging, then production', () => {
  expect(
    waitingTemplates([
      { name: 'done', version: 'v2.0.0', environments: { staging: 'v2.0.0', production: 'v2.0.0' } },
      { name: 'staged', version: 'v2.0.0', environments: { staging: 'v2.0.0', production: 'v1.0.0' } },
      { name: 'saved', version: 'v2.0.0', environments: { staging: 'v1.0.0', production: 'v1.0.0' } },
      { name: 'new', version: 'v1.0.0', environments: {} },
    ]),
  ).toEqual([
    { name: 'staged', version: 'v2.0.0', environment: 'production', shown: 'v1.0.0' },
    { name: 'saved', version: 'v2.0.0', environment: 'staging', shown: 'v1.0.0' },
    { name: 'new', version: 'v1.0.0', environment: 'staging', shown: undefined },
  ]);
});

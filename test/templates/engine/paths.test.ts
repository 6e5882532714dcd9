import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ITEM, nameOf, refOf } from '../../../src/templates/engine/paths.ts';
import { prepared } from './prepared.ts';

it.each([
  [['user', 'first_name'], 'user.first_name'],
  [['items', ITEM, 'price'], 'items[].price'],
  [['rows', ITEM, ITEM], 'rows[][]'],
  [['first name', 'a.b', 'c]\\d'], '[first name].[a.b].[c\\]\\\\d]'],
  [[ITEM, 'x'], '[].x'],
  [['-0', 'true', 'trueish'], '[-0].[true].trueish'],
])('%j is named %s', (ref, name) => {
  expect(nameOf(ref)).toBe(name);
  expect(refOf(name)).toEqual(ref);
});

const field = fc.string({ minLength: 1 }).filter((text) => text !== ITEM);

it('every place has a name of its own, which leads back to it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(field, fc.constant(ITEM)), { minLength: 1, maxLength: 5 }), (ref) => {
      expect(refOf(nameOf(ref))).toEqual(ref);
    }),
  );
});

it('and that name is how a template reads it', () => {
  // Handlebars itself has no way to write these in brackets.
  const writable = field.filter(
    (text) => !/[\\]|\}\}|^\d+$|^@root$/.test(text) && !text.includes('\0') && text !== 'length',
  );
  fc.assert(
    fc.property(fc.array(writable, { minLength: 1, maxLength: 3 }), (ref) => {
      const { variables } = prepared(`{{@root.${nameOf(ref)}}}`);
      expect(variables.at(-1)?.name).toBe(nameOf(ref));
    }),
  );
});

import { expect, test } from 'vitest';
import { bumpFor, compareContracts } from '../../../src/templates/versions/contract.ts';

const variable = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  required: true,
  declared: false,
  ...more,
});

test.each([
  ['nothing changed', [variable('a')], [variable('a')], [], 'patch'],
  ['a new required variable', [], [variable('a')], [['a', 'became_required', true]], 'major'],
  ['a new optional variable', [], [variable('a', { required: false })], [['a', 'added', false]], 'minor'],
  ['a variable no longer used', [variable('a')], [], [['a', 'removed', false]], 'patch'],
  [
    'an optional variable became required',
    [variable('a', { required: false })],
    [variable('a')],
    [['a', 'became_required', true]],
    'major',
  ],
  [
    'a fallback was lost',
    [variable('a', { required: false, default: 'x' })],
    [variable('a', { required: false })],
    [['a', 'lost_default', true]],
    'major',
  ],
  [
    'a fallback changed',
    [variable('a', { required: false, default: 'x' })],
    [variable('a', { required: false, default: 'y' })],
    [['a', 'changed_default', false]],
    'patch',
  ],
  [
    'a declared type changed',
    [variable('a', { declared: true, type: 'string' })],
    [variable('a', { declared: true, type: 'number' })],
    [['a', 'changed_type', true]],
    'major',
  ],
  [
    'a printed value became a list',
    [variable('a')],
    [variable('a', { type: 'array' })],
    [['a', 'changed_type', true]],
    'major',
  ],
  [
    'a printed value got a declared number type',
    [variable('a')],
    [variable('a', { declared: true, type: 'number' })],
    [],
    'patch',
  ],
  [
    'a condition became a list',
    [variable('a', { type: 'boolean' })],
    [variable('a', { type: 'array' })],
    [],
    'patch',
  ],
])('%s', (_case, before, after, changes, bump) => {
  const found = compareContracts(before, after);
  expect(found.map(({ variable: name, change, breaking }) => [name, change, breaking])).toEqual(changes);
  expect(bumpFor(found).bump).toBe(bump);
});

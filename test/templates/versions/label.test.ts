import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aliasOf,
  compareReleases,
  formatLabel,
  nextRelease,
  normalLabel,
  parseLabel,
  slugOf,
} from '../../../src/templates/versions/label.ts';

test.each([
  ['v2.1', { major: 2, minor: 1, patch: 0 }],
  ['v2.1.0', { major: 2, minor: 1, patch: 0 }],
  ['v1.0.12', { major: 1, minor: 0, patch: 12 }],
  ['v2.1.0-holiday.3', { major: 2, minor: 1, patch: 0, draft: { slug: 'holiday', number: 3 } }],
  ['2.1', undefined],
  ['v2', undefined],
  ['v2.1.0.0', undefined],
  ['v2.1-', undefined],
  ['latest', undefined],
])('reads %s', (text, label) => {
  expect(parseLabel(text)).toEqual(label);
});

test('a label is always written in three parts, so v2.1 and v2.1.0 are one version', () => {
  expect(normalLabel('v2.1')).toBe('v2.1.0');
  expect(normalLabel('v2.1.0')).toBe('v2.1.0');
  expect(normalLabel('holiday')).toBe('holiday');
});

test('only a release that ends in 0 has a short form', () => {
  expect(['v2.1.0', 'v2.1.1', 'v2.1.0-holiday.3'].map(aliasOf)).toEqual(['v2.1', undefined, undefined]);
});

test('every bump leads to a greater release, and what is written reads back', () => {
  const part = fc.nat(1000);
  const release = fc.record({ major: part, minor: part, patch: part });
  fc.assert(
    fc.property(
      release,
      fc.constantFrom('major' as const, 'minor' as const, 'patch' as const),
      (label, bump) => {
        const next = nextRelease(label, bump);
        expect(compareReleases(next, label)).toBeGreaterThan(0);
        expect(parseLabel(formatLabel(next))).toEqual(next);
      },
    ),
  );
});

test('the name of a branch becomes the middle of its draft labels', () => {
  expect(['holiday', 'feature/new_footer', '_'].map(slugOf)).toEqual([
    'holiday',
    'feature-new-footer',
    'draft',
  ]);
});

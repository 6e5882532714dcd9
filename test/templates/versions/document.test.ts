import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeDocument, hashDocument } from '../../../src/templates/versions/document.ts';

test('a change touches only the fields it names', () => {
  const document = { html: '<p>a</p>', subject: 'A', text: 'a' };
  expect(changeDocument(document, { subject: 'B', text: undefined })).toEqual({
    html: '<p>a</p>',
    subject: 'B',
    text: 'a',
  });
});

test('an empty text, schema or layout removes the field; html may be empty', () => {
  const document = { html: '<p>a</p>', subject: 'A', layout: 'shop', schema: { type: 'object' } };
  expect(changeDocument(document, { html: '', subject: '', layout: '', schema: {} })).toEqual({ html: '' });
});

test('the hash depends on what a document says, not on the order it says it in', () => {
  expect(hashDocument({ html: 'a', schema: { a: 1, b: { c: 1, d: 2 } } })).toBe(
    hashDocument({ schema: { b: { d: 2, c: 1 }, a: 1 }, html: 'a' }),
  );
});

test('documents with different texts have different hashes', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      fc.pre(one !== other);
      expect(hashDocument({ html: one })).not.toBe(hashDocument({ html: other }));
    }),
  );
});

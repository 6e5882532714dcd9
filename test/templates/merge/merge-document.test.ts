import { describe, expect, test } from 'vitest';
import { timeLimit } from '../../../src/templates/diff/shortest-edit.ts';
import { mergeDocument, type Resolution } from '../../../src/templates/merge/merge-document.ts';
import { resolveDocument } from '../../../src/templates/merge/resolve-document.ts';
import type { Document } from '../../../src/templates/schema.ts';

const base: Document = {
  html: '<h1>Hello {{name}}</h1>\n<p>Thank you.</p>\n',
  subject: 'Welcome',
  text: 'Hello {{name}}\n\nThank you.\n',
  schema: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  },
  layout: 'plain',
};

describe('mergeDocument', () => {
  test('merges every field on its own', () => {
    const ours: Document = { ...base, html: base.html.replace('Hello', 'Hi'), subject: 'Welcome, {{name}}' };
    const theirs: Document = {
      ...base,
      html: base.html.replace('Thank you', 'Thanks'),
      preheader: 'Glad',
      layout: 'wide',
    };
    expect(mergeDocument({ base, ours, theirs })).toEqual({
      document: {
        ...base,
        html: '<h1>Hi {{name}}</h1>\n<p>Thanks.</p>\n',
        subject: 'Welcome, {{name}}',
        preheader: 'Glad',
        layout: 'wide',
      },
      conflicts: [],
      pieces: {},
    });
  });

  test('merges properties both sides added to the schema, and their names in required', () => {
    const adding = (name: string, type: string): Document => ({
      ...base,
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, [name]: { type } },
        required: ['name', name],
      },
    });
    expect(
      mergeDocument({ base, ours: adding('total', 'number'), theirs: adding('items', 'array') }),
    ).toMatchObject({
      document: {
        schema: {
          type: 'object',
          properties: { name: { type: 'string' }, total: { type: 'number' }, items: { type: 'array' } },
          required: ['name', 'total', 'items'],
        },
      },
      conflicts: [],
    });
  });

  test('merges required as a set', () => {
    const requiring = (...required: string[]): Document => ({ html: '', schema: { required } });
    const documents = {
      base: requiring('a', 'b'),
      ours: requiring('a', 'b', 'x'),
      theirs: requiring('y', 'b'),
    };
    expect(mergeDocument(documents)).toMatchObject({ document: requiring('b', 'x', 'y'), conflicts: [] });
  });

  test('merges members of any name', () => {
    const schema = (text: string): Document => ({ html: '', schema: JSON.parse(text) });
    const merged = mergeDocument({
      base: schema('{"properties": {}}'),
      ours: schema('{"properties": {"__proto__": {"type": "string"}}}'),
      theirs: schema('{"properties": {"constructor": {"type": "number"}}}'),
    });
    expect(JSON.stringify(merged.document.schema)).toBe(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}',
    );
  });

  test('removes a field one side removed, when the other left it as it was', () => {
    const { text, layout, ...theirs } = base;
    expect(mergeDocument({ base, ours: { ...base, subject: 'Hi' }, theirs }).document).toEqual({
      ...theirs,
      subject: 'Hi',
    });
  });

  test('lists what both sides changed differently, in the order of the fields, and holds ours there', () => {
    const schemaWith = (type: string) => ({ properties: { 'a/b': { type } } });
    const documents = {
      base: { html: '<h1>A</h1>\n<p>B</p>\n', subject: 'S', css: 'p {}\n', schema: schemaWith('string') },
      ours: { html: '<h1>A1</h1>\n<p>B</p>\n', subject: 'S1', schema: schemaWith('number') },
      theirs: {
        html: '<h1>A2</h1>\n<p>B</p>\n',
        subject: 'S2',
        css: 'p { margin: 0 }\n',
        schema: schemaWith('boolean'),
        layout: 'wide',
      },
    };
    expect(mergeDocument(documents)).toEqual({
      document: { ...documents.ours, layout: 'wide' },
      conflicts: [
        { id: 'html-1', field: 'html', line: 1, base: 'A', ours: 'A1', theirs: 'A2' },
        { id: 'subject-1', field: 'subject', base: 'S', ours: 'S1', theirs: 'S2' },
        { id: 'css-1', field: 'css', base: 'p {}\n', theirs: 'p { margin: 0 }\n' },
        {
          id: 'schema-1',
          field: 'schema/properties/a~1b/type',
          base: 'string',
          ours: 'number',
          theirs: 'boolean',
        },
      ],
      pieces: {
        html: [
          { kind: 'text', text: '<h1>' },
          { kind: 'conflict', index: 0 },
          { kind: 'text', text: '</h1>\n<p>B</p>\n' },
        ],
      },
    });
  });

  test('takes one side for every conflict by strategy, and the other changes of both', () => {
    const documents = {
      base: { html: 'one\n\ntwo\n', subject: 'S' },
      ours: { html: 'ours\n\ntwo\n', subject: 'S1' },
      theirs: { html: 'theirs\n\nTWO\n', subject: 'S2' },
    };
    expect(mergeDocument(documents, { strategy: 'ours' })).toEqual({
      document: { html: 'ours\n\nTWO\n', subject: 'S1' },
      conflicts: [],
      pieces: {},
    });
    expect(mergeDocument(documents, { strategy: 'theirs' }).document).toEqual(documents.theirs);
    expect(
      mergeDocument(documents, { strategy: 'theirs', resolutions: [{ id: 'subject-1', take: 'ours' }] })
        .document,
    ).toEqual({ ...documents.theirs, subject: 'S1' });
  });

  test('shares one time limit among its fields', () => {
    const side = (text: string): Document => ({ html: text, css: text });
    const documents = { base: side('a'), ours: side('b'), theirs: side('c') };
    expect(() => mergeDocument(documents, { limit: timeLimit(0) })).toThrow(
      expect.objectContaining({ key: 'too_large.merge' }),
    );
  });
});

describe('resolveDocument', () => {
  const merge = mergeDocument({
    base: { html: 'a\n-\nb\n', subject: 'S', schema: { properties: { n: { type: 'string' } } } },
    ours: { html: 'a1\na1\n-\nb1\n', schema: { properties: { n: { type: 'number' } } } },
    theirs: { html: 'a2\n-\nb2\n', subject: 'S2', schema: { properties: { n: { type: 'boolean' } } } },
  });

  test('puts at each conflict what its resolution takes', () => {
    const resolutions: Resolution[] = [
      { id: 'html-1', take: 'theirs' },
      { id: 'html-2', take: 'base' },
      { id: 'subject-1', take: 'ours' },
      { id: 'schema-1', take: 'text', text: '["number", "null"]' },
    ];
    expect(resolveDocument(merge, resolutions)).toEqual({
      document: { html: 'a2\n-\nb\n', schema: { properties: { n: { type: ['number', 'null'] } } } },
      conflicts: [],
      pieces: {},
    });
  });

  test('puts a text of the caller at a conflict', () => {
    const { document } = resolveDocument(merge, [
      { id: 'html-2', take: 'text', text: 'both\n' },
      { id: 'subject-1', take: 'text', text: 'New' },
    ]);
    expect(document).toMatchObject({ html: 'a1\na1\n-\nboth\n', subject: 'New' });
  });

  test('leaves the conflicts no resolution names, with their ids, and the line they now stand on', () => {
    const { conflicts } = resolveDocument(merge, [
      { id: 'html-1', take: 'theirs' },
      { id: 'schema-1', take: 'theirs' },
    ]);
    expect(merge.conflicts.map(({ id, line }) => [id, line])).toEqual([
      ['html-1', 1],
      ['html-2', 4],
      ['subject-1', undefined],
      ['schema-1', undefined],
    ]);
    expect(conflicts.map(({ id, line }) => [id, line])).toEqual([
      ['html-2', 3],
      ['subject-1', undefined],
    ]);
  });

  test('gives the same in two steps as in one', () => {
    const [first, ...rest] = merge.conflicts.map(({ id }): Resolution => ({ id, take: 'theirs' }));
    const inOne = resolveDocument(merge, [...(first ? [first] : []), ...rest]);
    expect(resolveDocument(resolveDocument(merge, rest), first ? [first] : [])).toEqual(inOne);
  });

  test.each([
    [
      'ids that are no conflicts',
      [
        { id: 'html-1', take: 'ours' },
        { id: 'html-9', take: 'ours' },
        { id: 'x', take: 'base' },
      ],
      'validation_failed.resolution',
      { id: 'html-9, x' },
    ],
    [
      'take text without a text',
      [{ id: 'html-1', take: 'text' }],
      'validation_failed.resolution_text',
      { id: 'html-1' },
    ],
    [
      'what is no JSON for the schema',
      [{ id: 'schema-1', take: 'text', text: '{' }],
      'validation_failed.resolution_json',
      { id: 'schema-1' },
    ],
  ] satisfies [string, Resolution[], string, object][])('refuses %s', (_, resolutions, key, params) => {
    expect(() => resolveDocument(merge, resolutions)).toThrow(expect.objectContaining({ key, params }));
  });

  test('refuses a whole schema that is no object', () => {
    const whole = mergeDocument({
      base: { html: '', schema: { type: 'object' } },
      ours: { html: '' },
      theirs: { html: '', schema: { type: 'object', title: 'x' } },
    });
    expect(whole.conflicts.map(({ id, field }) => [id, field])).toEqual([['schema-1', 'schema']]);
    expect(() => resolveDocument(whole, [{ id: 'schema-1', take: 'text', text: '[]' }])).toThrow(
      expect.objectContaining({ key: 'validation_failed.resolution_json' }),
    );
  });
});

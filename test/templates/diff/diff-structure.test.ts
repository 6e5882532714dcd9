import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffStructure } from '../../../src/templates/diff/diff-structure.ts';
import { timeLimit } from '../../../src/templates/diff/shortest-edit.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { samples } from '../../support/samples.ts';
import { templateText } from './template-text.ts';

describe('diffStructure', () => {
  test('shows a text that changed, with its mustaches', () => {
    expect(diffStructure('<h1>Hi</h1><p>Hello {{name}}!</p>', '<h1>Hi</h1><p>Dear {{name}},</p>')).toEqual([
      { change: 'text', path: 'html > body > p > #text', before: 'Hello {{name}}!', after: 'Dear {{name}},' },
    ]);
  });

  test('shows attributes that changed, came and went', () => {
    expect(
      diffStructure('<p>Top</p><p class="a" dir="ltr">x</p>', '<p>Top</p><p class="b" id="intro">x</p>'),
    ).toEqual([
      { change: 'attribute', path: 'html > body > p:nth(2)', name: 'class', before: 'a', after: 'b' },
      { change: 'attribute', path: 'html > body > p:nth(2)', name: 'dir', before: 'ltr' },
      { change: 'attribute', path: 'html > body > p:nth(2)', name: 'id', after: 'intro' },
    ]);
  });

  test('shows elements that came and went', () => {
    expect(diffStructure('<p>One</p><hr>', '<p>One</p><ul><li>a</li></ul>')).toEqual([
      { change: 'removed', path: 'html > body > hr', before: '<hr></hr>' },
      { change: 'added', path: 'html > body > ul', after: '<ul><li>a</li></ul>' },
    ]);
  });

  test('shows an element that stands elsewhere as moved', () => {
    expect(
      diffStructure('<p>One</p><div><b>x</b></div><p>Two</p>', '<p>One</p><p>Two</p><div><b>x</b></div>'),
    ).toEqual([
      {
        change: 'moved',
        path: 'html > body > div',
        from_path: 'html > body > div',
        position: 3,
        from_position: 2,
      },
    ]);
  });

  test('keeps the mustaches of a loop where they stand in the table', () => {
    const table = (list: string) => `<table>{{#each ${list}}}<tr><td>{{name}}</td></tr>{{/each}}</table>`;
    expect(diffStructure(table('items'), table('orders'))).toEqual([
      {
        change: 'text',
        path: 'html > body > table > #text',
        before: '{{#each items}}',
        after: '{{#each orders}}',
      },
    ]);
  });

  test('compares a title and a style sheet as text', () => {
    const head = (title: string, color: string) =>
      `<head><title>{{${title}}}</title><style>p > b { color: ${color} }</style></head>`;
    expect(diffStructure(head('subject', 'red'), head('title', 'blue'))).toEqual([
      { change: 'text', path: 'html > head > title > #text', before: '{{subject}}', after: '{{title}}' },
      {
        change: 'text',
        path: 'html > head > style > #text',
        before: 'p > b { color: red }',
        after: 'p > b { color: blue }',
      },
    ]);
  });

  test('does not count white space', () => {
    expect(diffStructure('<p>a b</p><p>c</p>', '<p>\n  a\n  b\n</p>\n\n<p>c</p>\n')).toEqual([]);
  });

  test('matches elements with an id by it', () => {
    expect(
      diffStructure(
        '<div id="a">1</div><div id="b">2</div><div id="c">3</div>',
        '<div id="b">two</div><div id="c">3</div>',
      ),
    ).toEqual([
      { change: 'removed', path: 'html > body > div:nth(1)', before: '<div id="a">1</div>' },
      { change: 'text', path: 'html > body > div:nth(1) > #text', before: '2', after: 'two' },
    ]);
  });

  test('cuts long texts to where they differ', () => {
    const words = 'lorem ipsum '.repeat(100);
    expect(diffStructure(`<p>${words}end</p>`, `<p>${words}finish</p>`)).toEqual([
      {
        change: 'text',
        path: 'html > body > p > #text',
        before: `…${words.slice(-40)}end`,
        after: `…${words.slice(-40)}finish`,
      },
    ]);
  });

  test('finds nothing between a template and itself, and something whenever texts in a row differ', () => {
    fc.assert(
      fc.property(templateText, (html) => {
        expect(diffStructure(html, html)).toEqual([]);
        expect(diffStructure(`<p>a</p>${html}`, `<p>b</p>${html}`)).toContainEqual(
          expect.objectContaining({ change: 'text', before: 'a', after: 'b' }),
        );
      }),
      { numRuns: samples(300), seed: 8 },
    );
  });

  test('finds one added row among 5,000 like it', () => {
    const rows = (count: number) => `<table>${'<tr><td>&nbsp;</td></tr>'.repeat(count)}</table>`;
    expect(diffStructure(rows(5_000), rows(5_001), timeLimit(20_000))).toEqual([
      {
        change: 'added',
        path: 'html > body > table > tbody > tr:nth(5001)',
        after: '<tr><td>\u00a0</td></tr>',
      },
    ]);
  });

  test.each([
    ['levels', '<div>'.repeat(50_000)],
    ['elements a browser would repeat', `<p>${numbered('<b a$>', 400)}</p>${'<p>x'.repeat(30_000)}`],
  ])('refuses too many %s, and soon', (_, html) => {
    const refusal = expect.objectContaining({ key: 'too_large.structure' });
    expect(cpuMs(() => expect(() => diffStructure(html, '')).toThrow(refusal))).toBeLessThan(2_000);
  });

  test('refuses when the time is over', () => {
    expect(() => diffStructure('<p>a</p>', '<p>b</p>', timeLimit(0))).toThrow(
      expect.objectContaining({ key: 'too_large.merge' }),
    );
  });
});

function numbered(pattern: string, count: number): string {
  return Array.from({ length: count }, (_, at) => pattern.replace('$', String(at))).join('');
}

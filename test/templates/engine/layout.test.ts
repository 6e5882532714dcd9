import { describe, expect, it } from 'vitest';
import { html, output, prepared, problemsOf, stock } from './prepared.ts';

const layout = (source: string) => prepared({ kind: 'layout', html: source });

describe('a layout stands around a template as {{#> layout}}…{{/layout}} would', () => {
  it.each([
    ['<body>{{> @partial-block}}</body>', '<p>{{name}}</p>', '<body><p>Ana</p></body>'],
    ['{{title}}:{{> @partial-block}}{{> foot}}', '{{name}}{{> foot}}', 'T:Ana[Ana][Ana]'],
    ['{{#with user}}{{> @partial-block}}{{/with}}', '{{name}} {{@root.name}}', 'Eva Ana'],
    ['{{> @partial-block}}-{{> @partial-block}}', '{{name}}', 'Ana-Ana'],
    ['[{{> head}}]{{> @partial-block}}', '{{#*inline "head"}}{{title}}{{/inline}}{{name}}', '[T]Ana'],
    ['[{{#> head}}none{{/head}}]{{> @partial-block}}', '{{name}}', '[none]Ana'],
    ['{{> @partial-block}}', '{{#> card}}{{name}}{{/card}}', '<b>Ana</b>'],
    ['{{#> card}}{{> @partial-block}}{{/card}}', '{{name}}', '<b>Ana</b>'],
    ['{{#each items}}{{> @partial-block}}{{/each}}', '{{this}},', '1,2,'],
    ['{{> @partial-block name="x"}}', '{{name}}', 'x'],
  ])('%s around %s', (outer, content, expected) => {
    const data = { name: 'Ana', title: 'T', user: { name: 'Eva' }, items: [1, 2] };
    const partials = { foot: '[{{name}}]', card: '<b>{{> @partial-block}}</b>' };
    expect(html(content, data, { layout: layout(outer), partials })).toBe(expected);
    expect(stock(`{{#> page}}${content}{{/page}}`, data, { ...partials, page: outer })).toBe(expected);
  });

  it('also around its text, where the layout has one', () => {
    const program = prepared({ html: '<p>{{a}}</p>', text: '{{a}} & b', subject: 'S' });
    const both = prepared({
      kind: 'layout',
      html: '<i>{{> @partial-block}}</i>',
      text: '-- {{> @partial-block}} --',
    });
    expect(output(program, { a: '<' }, { layout: both })).toMatchObject({
      html: '<i><p>&lt;</p></i>',
      text: '-- < & b --',
      subject: 'S',
    });
    expect(output(program, { a: '<' }, { layout: layout('{{> @partial-block}}') })).toMatchObject({
      text: '< & b',
    });
  });

  it('and says where the content goes', () => {
    expect(problemsOf({ kind: 'layout', html: '<p></p>', text: 'x' })).toEqual([
      'template_invalid.slot_missing html 1:1',
      'template_invalid.slot_missing text 1:1',
    ]);
    expect(
      problemsOf({ kind: 'layout', html: '{{#if a}}{{else}}{{#> p}}{{> @partial-block}}{{/p}}{{/if}}' }),
    ).toEqual([]);
    expect(problemsOf({ kind: 'template', html: 'a\n {{> @partial-block}}' })).toEqual([
      'template_invalid.slot_outside html 2:2',
    ]);
    expect(
      problemsOf({
        kind: 'template',
        html: '{{#*inline "a"}}{{> @partial-block}}{{/inline}}{{#> @partial-block}}{{/@partial-block}}',
      }),
    ).toEqual([]);
  });

  it('and can be looked at alone, as can a partial', () => {
    expect(html(layout('<b>{{> @partial-block}}</b>'))).toBe('<b></b>');
    expect(html(prepared({ kind: 'partial', html: '{{a}}{{> @partial-block}}' }), { a: 1 })).toBe('1');
  });
});

describe('a template that was not prepared for a layout', () => {
  it('renders as one that was, and refuses one', () => {
    const source = '{{#*inline "a"}}{{x}}{{/inline}}{{> a}}{{#each list}}{{this}}{{> p}}{{/each}}';
    const [alone, inLayout] = [false, true].map((flag) =>
      prepared({ html: source, text: source, inLayout: flag }),
    );
    const given = { partials: { p: '!' } };
    const data = { x: '<', list: [1, 2] };
    expect(output(alone ?? '', data, given)).toEqual(output(inLayout ?? '', data, given));
    expect(() => html(alone ?? '', data, { layout: layout('{{> @partial-block}}') })).toThrow('not prepared');
  });
});

describe('the fields that are not html', () => {
  it('print values as they are', () => {
    const program = prepared({
      html: '{{a}}',
      subject: '{{a}} {{{a}}} {{&a}}',
      preheader: '{{upper a}}',
      text: '{{a}}{{a}}',
    });
    expect(output(program, { a: '<b> & "c"' })).toEqual({
      html: '&lt;b&gt; &amp; &quot;c&quot;',
      subject: '<b> & "c" <b> & "c" <b> & "c"',
      preheader: '<B> & "C"',
      text: '<b> & "c"<b> & "c"',
      warnings: [],
    });
    expect(output('x')).toEqual({ html: 'x', subject: null, preheader: null, text: null, warnings: [] });
  });

  it('are one line where they become a mail header', () => {
    const program = prepared({ html: '', subject: 'Hi\n {{a}} ', preheader: '{{a}}' });
    const injected = 'x\r\nBcc: all@example.com\u2028y\u0085z\u0000';
    expect(output(program, { a: injected })).toMatchObject({
      subject: 'Hi  x Bcc: all@example.com y z',
      preheader: 'x Bcc: all@example.com y z',
    });
  });

  it('use the text of a partial where it has one', () => {
    const both = prepared({ kind: 'partial', html: '<b>{{a}}</b>', text: '*{{a}}*' });
    const one = prepared({ kind: 'partial', html: '{{a}}' });
    expect(
      output(
        prepared({ html: '{{> p}}{{> q}}', text: '{{> p}}{{> q}}' }),
        { a: '&' },
        { partials: { p: both, q: one } },
      ),
    ).toMatchObject({ html: '<b>&amp;</b>&amp;', text: '*&*&' });
  });
});

it('a partial that does not exist is named', () => {
  expect(() => html('{{> my/part}}')).toThrow('template_invalid.partial_missing {"name":"my/part"}');
});

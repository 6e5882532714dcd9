import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { samples } from '../../support/samples.ts';
import { html, output, problemsOf } from './prepared.ts';

const LINK = '<a href="{{x}}">';
const IMAGE = '<img src="{{x}}">';

describe('an address from the data', () => {
  it.each([
    ['https://example.com/?a=1&b=2', 'https://example.com/?a&#x3D;1&amp;b&#x3D;2'],
    ['HTTP://EXAMPLE.COM', 'HTTP://EXAMPLE.COM'],
    ['mailto:ana@example.com', 'mailto:ana@example.com'],
    ['tel:+34600', 'tel:+34600'],
    ['cid:logo', 'cid:logo'],
    ['/path', '/path'],
    ['#top', '#top'],
    ['?q=a:b', '?q&#x3D;a:b'],
    ['//example.com', '//example.com'],
    ['example.com/a:b', 'example.com/a:b'],
    ['', ''],
    ['{{x}}', '{{x}}'],
    [7, '7'],
    [null, ''],
  ])('%j is let through', (x, href) => {
    expect(html(LINK, { x })).toBe(`<a href="${href}">`);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '  javascript:alert(1)',
    '\u0000\u0001 javascript:alert(1)',
    'java\nscript:alert(1)',
    'j\ta\rv\nascript\n:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript&colon;alert(1)',
    'java&Tab;script&NewLine;:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/png;base64,AA',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'filesystem:x',
    'about:blank',
    'view-source:javascript:x',
    'unknown:x',
  ])('%j is replaced by # with a warning', (x) => {
    expect(output(LINK, { x })).toMatchObject({
      html: '<a href="#">',
      warnings: [{ key: 'blocked_url', params: { variable: 'x' } }],
    });
  });

  it('may be image data where an image is shown', () => {
    expect(html(IMAGE, { x: 'data:image/png;base64,AA+/' })).toBe('<img src="data:image/png;base64,AA+/">');
    expect(html(IMAGE, { x: 'data:text/html,x' })).toBe('<img src="#">');
    expect(html('<td background="{{x}}">', { x: 'data:image/gif;base64,AA' })).toBe(
      '<td background="data:image/gif;base64,AA">',
    );
    expect(html('<iframe src="{{x}}">', { x: 'data:image/svg+xml,x' })).toBe('<iframe src="#">');
  });

  it.each([
    ['<form action="{{x}}">', '<form action="#">'],
    ['<button formaction="{{x}}">', '<button formaction="#">'],
    ["<a href='{{x}}'>", "<a href='#'>"],
    ['<a href="  {{x}}">', '<a href="  #">'],
    ['<svg><a xlink:href="{{x}}">', '<svg><a xlink:href="#">'],
    ['<v:roundrect href="{{x}}">', '<v:roundrect href="#">'],
    ['<!--[if mso]><a href="{{x}}"><![endif]-->', '<!--[if mso]><a href="#"><![endif]-->'],
    ['<meta http-equiv="refresh" content="0; url={{x}}">', '<meta http-equiv="refresh" content="0; url=#">'],
    ['<a href="{{upper x}}">', '<a href="#">'],
    ['<a href="{{default y x}}">', '<a href="#">'],
    ['<a href="{{#if x}}{{x}}{{else}}/{{/if}}">', '<a href="#">'],
    ['<a href="{{#if y}}/{{/if}}{{x}}">', '<a href="#">'],
    ['<a href="{{x}}/unsubscribe">', '<a href="#/unsubscribe">'],
    ['{{#*inline "link"}}<a href="{{this}}">{{/inline}}{{> link x}}', '<a href="#">'],
    ['<a href="java{{y}}{{x}}">', '<a href="java">'],
    ['<a href="{{s}}{{colon}}">', '<a href="javascript">'],
    ['<a href="{{#each parts}}{{this}}{{/each}}">', '<a href="javascript">'],
  ])('%s is checked wherever it begins an address', (source, expected) => {
    const data = {
      x: 'JAVASCRIPT:alert(1)',
      s: 'javascript',
      colon: ':alert(1)',
      parts: ['javascript', ':alert(1)'],
    };
    expect(html(source, data)).toBe(expected);
  });

  it.each([
    ['<a href="https://a.b/{{x}}">', '<a href="https://a.b/javascript:y">'],
    ['<a href="/{{x}}">', '<a href="/javascript:y">'],
    ['<a href="mailto:{{x}}">', '<a href="mailto:javascript:y">'],
    ['<p title="{{x}}">{{x}}', '<p title="javascript:y">javascript:y'],
    ['<meta name="description" content="{{x}}">', '<meta name="description" content="javascript:y">'],
    ['<img src="data:image/png;base64,{{x}}">', '<img src="data:image/png;base64,javascript:y">'],
  ])('%s has its scheme fixed and needs no check', (source, expected) => {
    expect(html(source, { x: 'javascript:y' })).toBe(expected);
  });

  it('is named in the warning as the data has it, each once', () => {
    const data = { items: [{ url: 'x:1' }, { url: 'x:2' }], user: { site: 'y:' } };
    const source =
      '{{#each items}}<a href="{{url}}"></a>{{/each}}{{#with user}}<a href="{{lower site}}">{{/with}}';
    expect(output(source, data).warnings.map(({ params }) => params?.['variable'])).toEqual([
      'items[].url',
      'user.site',
    ]);
  });

  it('never runs as a script in a browser, whatever it is made of', () => {
    const pieces = fc.constantFrom(
      'javascript',
      'JavaScript',
      'vbscript',
      'colon;',
      '8',
      '8;',
      '#58',
      'on;',
      'data',
      ':',
      '&colon;',
      '&#58;',
      '&#x3a',
      '\n',
      '\t',
      ' ',
      '\u0001',
      '/',
      '//',
      'x',
      '&',
      '#',
      '?',
      '\\',
      'text/html,',
      'https',
    );
    const value = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
    const between = fc.constantFrom('', '&', '&#', '&#5', '&#x3', '&col', 'x', ' ', ':', '/');
    const fixed = fc.constantFrom('', ' ', 'java', 'x/', '{{c}}');
    fc.assert(
      fc.property(fixed, between, value, value, value, (before, middle, a, b, c) => {
        const template = `<a href="${before}{{a}}${middle}{{b}}">`;
        fc.pre(problemsOf(template).length === 0);
        const page = html(template, { a, b, c });
        const [link] = parseFragment(page).childNodes;
        const href = link && 'attrs' in link ? (link.attrs[0]?.value ?? '') : '';
        const scheme = URL.canParse(href, 'https://base.example/')
          ? new URL(href, 'https://base.example/').protocol
          : '';
        expect(['https:', 'http:', 'mailto:', 'tel:', 'cid:', '']).toContain(scheme);
      }),
      { numRuns: samples(3000) },
    );
  });
});

describe('a value in a style', () => {
  it.each([
    '12px',
    '#333',
    'rgb(1, 2, 3)',
    "Arial, 'Open Sans'",
    'calc(100% - 2px)',
    'data:image/png;base64,AA+/',
    '{{width}}',
  ])('%j is printed', (x) => {
    expect(output('<p style="color: {{x}}">', { x }).warnings).toEqual([]);
  });

  it.each([
    '1px;background:url(//evil/?c);x:',
    'red; position: fixed',
    'url(https://evil.example/a.png)',
    'URL (x)',
    'expression(alert(1))',
    'image-set("a.png" 1x)',
    'u\\72l(//evil)',
    '1px/*',
    'red} p {color: blue',
    '{{x;y:url(a)}}',
    'data:image/png;base64,AA;x:y',
  ])('%j is omitted with a warning', (x) => {
    expect(output('<p style="width:{{x}}px">', { x })).toMatchObject({
      html: '<p style="width:px">',
      warnings: [{ key: 'blocked_style', params: { variable: 'x' } }],
    });
  });

  it('may be all declarations where the style starts with it', () => {
    expect(html('<p style="{{x}}">', { x: 'color: red; width: 1px' })).toBe(
      '<p style="color: red; width: 1px">',
    );
    expect(html('<p style="{{x}};height:{{y}}">', { x: 'color: red', y: '1px;left:0' })).toBe(
      '<p style="color: red;height:">',
    );
  });
});

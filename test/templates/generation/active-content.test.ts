import { expect, test } from 'vitest';
import {
  findActive,
  isActiveCss,
  stripActive,
  stripImports,
} from '../../../src/templates/generation/active-content.ts';

test.each([
  ['a script', '<p>a</p><script>x</script><p>b</p>', '<p>a</p><p>b</p>', ['<script>']],
  ['a frame with what it holds', '<iframe src="x">no</iframe>', '', ['<iframe>']],
  ['a form, without what it holds', '<form action="/x"><p>a</p></form>', '<p>a</p>', ['<form>']],
  ['a field', '<p>a<input name="x"></p>', '<p>a</p>', ['<input>']],
  ['a style sheet of elsewhere', '<link rel=stylesheet href="x">', '', ['<link>']],
  ['a base address', '<head><base href="https://x"></head>', '<head></head>', ['<base>']],
  ['a refresh', '<head><meta http-equiv="Refresh" content="0"></head>', '<head></head>', ['<meta>']],
  ['a handler', '<p onclick="x()" class="a">b</p>', '<p  class="a">b</p>', ['onclick']],
  [
    'a handler behind a condition',
    '<p {{#if a}}onclick="x()"{{/if}}>b</p>',
    '<p {{#if a}}{{/if}}>b</p>',
    ['onclick'],
  ],
  ['an import', '<style>@import "x";p{}</style>', '<style>p{}</style>', ['@import']],
  ['a script inside svg', '<svg><script>x</script></svg>', '<svg></svg>', ['<script>']],
  [
    'a script inside a template',
    '<template><script>x</script></template>',
    '<template></template>',
    ['<script>'],
  ],
  ['scripts inside one another', '<iframe><script>x</script></iframe>', '', ['<iframe>']],
])('%s is cut out', (_, html, expected, removed) => {
  expect(stripActive(html)).toEqual({ html: expected, removed });
});

test.each([
  ['a script in the words of a comment', '<!-- <script>x</script> --><p>a</p>'],
  ['a conditional comment', '<!--[if mso]><table><tr><td><![endif]--><p>a</p>'],
  ['mustaches of every kind', '{{#each items}}<tr><td>{{name}}</td></tr>{{/each}}{{!-- <script> --}}'],
  ['an attribute that only looks like a handler', '<p data-onclick="x" class="online">a</p>'],
  ['an address out of a variable', '<a href="{{url}}">a</a>'],
  ['a scroll behaviour', '<p style="scroll-behavior: smooth">a</p>'],
  ['an image inside the html', '<img src="data:image/png;base64,AA==">'],
])('%s stays', (_, html) => {
  expect(stripActive(html)).toEqual({ html, removed: [] });
  expect(findActive(html)).toEqual([]);
});

test.each([
  ['<p>\n<a href="javascript:x">a</a>', 'href', 2, 4],
  ['<a href="java\nscript:x">a</a>', 'href', 1, 4],
  ['<a href="&#106;avascript:x">a</a>', 'href', 1, 4],
  ['<img src="data:text/html,x">', 'src', 1, 6],
  ['<svg><a xlink:href="javascript:x">a</a></svg>', 'xlink:href', 1, 9],
  ['<p style="behavior: url(x)">a</p>', 'style', 1, 4],
  ['<style>p{width:expression(x)}</style>', '<style>', 1, 1],
])('%j is found but cannot only be cut out', (html, what, line, col) => {
  expect(findActive(html)).toEqual([{ what, line, col, cuts: [] }]);
});

test('imports go, whatever stands in their address, and a hidden one is found', () => {
  const fonts = "@import url('https://fonts.example.com/css2?family=Inter:wght@400;700&display=swap');";
  expect(stripImports(`${fonts}\np { color: red }`)).toEqual({
    css: '\np { color: red }',
    removed: ['@import'],
  });
  expect(stripImports('p { color: red }')).toEqual({ css: 'p { color: red }', removed: [] });
  expect([isActiveCss('@import url(x'), isActiveCss('p { color: red }')]).toEqual([true, false]);
});

test.each([
  ['/* @import "x"; */ p { content: "@import y;" }', '/* @import "x"; */ p { content: "@import y;" }'],
  ['@IMPORT url(x;y) screen; p {}', ' p {}'],
  ['@media print { @import "x" } p {}', '@media print { } p {}'],
  ['@import "x', ''],
])('of %j without imports %j is left', (css, left) => {
  expect(stripImports(css).css).toBe(left);
});

test.each([
  ['open mustaches', '{{'.repeat(60_000)],
  ['open comments', '{{!--'.repeat(25_000)],
  ['open addresses', `<style>${'@import url( '.repeat(10_000)}`],
])('%s are read in one pass', (_, html) => {
  expect(findActive(html)).toBeInstanceOf(Array);
});

test('html nested very deep is read in one pass', () => {
  expect(findActive('<div>'.repeat(40_000))).toEqual([]);
});

test('more elements beside each other than a call takes arguments are read', () => {
  expect(findActive('<p onclick=x></p>'.repeat(150_000))).toHaveLength(150_000);
});

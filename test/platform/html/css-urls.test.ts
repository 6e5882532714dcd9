import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cssUrls } from '../../../src/platform/html/css-urls.ts';
import { samples } from '../../support/samples.ts';

const urlsOf = (css: string) => cssUrls(css).map(({ url, imported }) => (imported ? `import ${url}` : url));

test.each([
  ['a { background: url(x.png) }', ['x.png']],
  ['a { background: url( x.png ) }', ['x.png']],
  ['a { background: url("x.png") }', ['x.png']],
  ["a { background: URL(\n'x.png'\t) no-repeat }", ['x.png']],
  ['a { background: url(a.png), url(b.png) }', ['a.png', 'b.png']],
  ['background:url(x.png)', ['x.png']],
  ['@font-face { src: local("x"), url(x.woff2) format("woff2") }', ['x.woff2']],
  ['@import "x.css";', ['import x.css']],
  ["@import 'x.css' screen;", ['import x.css']],
  ['@IMPORT url(x.css);', ['import x.css']],
  ['@import url("x.css") layer(base) supports(background: url(y)) screen;', ['import x.css', 'y']],
  ['@import/**/"x.css"', ['import x.css']],
  ['a { background: image-set("x.png" 1x, url(y.png) 2x) }', ['x.png', 'y.png']],
  ['a { background: -webkit-image-set("x.png" type("image/png") 1x) }', ['x.png']],
  ['a { --logo: url(x.png) }', ['x.png']],
  // Nothing hides behind escapes.
  ['a { background: u\\72l(x.png) }', ['x.png']],
  ['a { background: \\75\\72\\6c(x.png) }', ['x.png']],
  ['a { background: \\000075rl(x.png) }', ['x.png']],
  ['a { background: u\\72 l(x.png) }', ['x.png']],
  ['a { background: url(\\78.png) }', ['x.png']],
  ['a { background: url("\\78\\\n.png") }', ['x.png']],
  ['@\\69mport "x.css";', ['import x.css']],
  // Nor behind comments, strings and broken text.
  ['a { content: "/*"; background: url(x.png) /* */ }', ['x.png']],
  ["a { content: '\\'' ; background: url(x.png) }", ['x.png']],
  ['a { content: "broken\n; background: url(x.png) }', ['x.png']],
  ['<!--url(x.png)-->', ['x.png']],
  ['a { background: url(bad"url) } b { background: url(x.png) }', ['x.png']],
  ['a { background: url(b a d) } b { background: url(x.png) }', ['x.png']],
  ['a } ) ] { background: url(x.png) }', ['x.png']],
  ['a { background: url(x.png', ['x.png']],
  ['a { background: url("x.png', ['x.png']],
  ['a { background: url(data:image/gif;base64,AA==) }', ['data:image/gif;base64,AA==']],
  // What loads nothing.
  ['/* url(x.png) */', []],
  ['/* url(x.png)', []],
  ['a { content: "url(x.png)" }', []],
  ['a { content: "x.png" }', []],
  ['@charset "utf-8";', []],
  ['@namespace svg url(http://www.w3.org/2000/svg);', []],
  ['@namespace "http://www.w3.org/1999/xhtml";', []],
  ['a { width: 5url(x.png) } #url(x) .curl(x) -url(x) url (x)', []],
  ['a { background: "url(" x.png ")" }', []],
  ['', []],
])('%j loads %j', (css, urls) => {
  expect(urlsOf(css)).toEqual(urls);
});

test('a place, replaced by a string in quotes, is the same style sheet with another address', () => {
  const css = 'a{background:url( x )}@import "y";b{background:image-set("z" 1x)}c{src:url(\'w\')}';
  const edited = cssUrls(css).reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}"N"${text.slice(end)}`,
    css,
  );
  expect(edited).toBe('a{background:url( "N" )}@import "N";b{background:image-set("N" 1x)}c{src:url("N")}');
});

test('whatever the text, places are in order, within it and apart', () => {
  const pieces = fc.constantFrom(
    'url(',
    'URL("',
    ')',
    '"',
    "'",
    '\\',
    '/*',
    '*/',
    '@import ',
    ';',
    '{',
    '}',
    '\n',
    'x',
    ' ',
    '<!--',
    '#',
    '(',
    '7',
    'é',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const css = parts.join('');
      let done = 0;
      for (const { start, end } of cssUrls(css)) {
        expect(start).toBeGreaterThanOrEqual(done);
        expect(end).toBeGreaterThanOrEqual(start);
        done = end;
      }
      expect(done).toBeLessThanOrEqual(css.length);
    }),
    { numRuns: samples(2000) },
  );
});

test('megabytes in one token are read', () => {
  const long = 'A'.repeat(8_000_000);
  for (const css of [
    `a{b:url(${long})}`,
    `a{b:url("${long}")}`,
    `/*${long}*/`,
    `${long}{}`,
    '\\a'.repeat(1_000_000),
    '('.repeat(1_000_000),
  ])
    expect(cssUrls(css).length).toBeLessThan(2);
});

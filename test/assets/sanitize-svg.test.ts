import { expect, test } from 'vitest';
import { sanitizeSvg } from '../../src/assets/sanitize-svg.ts';

const ROOT = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const clean = (inside: string) =>
  sanitizeSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">${inside}</svg>`)?.svg.slice(
    `<svg ${ROOT} viewBox="0 0 20 10">`.length,
    -'</svg>'.length,
  );

test('a drawing stays as it is, with the size of its view box', () => {
  const inside = '<defs><linearGradient id="a"><stop offset="1" stop-color="#f00"/></linearGradient></defs>';
  const shape = '<rect width="20" height="10" fill="url(#a)"/><text x="1">Tom &amp; Ana</text>';
  const svg = `<?xml version="1.0"?><!DOCTYPE svg><!-- by hand --><svg viewBox="0 0 20 10">${inside}${shape}</svg>`;
  expect(sanitizeSvg(svg)).toEqual({
    svg: `<svg ${ROOT} viewBox="0 0 20 10">${inside}${shape}</svg>`,
    width: 20,
    height: 10,
  });
});

test.each([
  ['a script', '<script>alert(1)</script><g/>', '<g/>'],
  ['a script in capitals of another vocabulary', '<svg:script>alert(1)</svg:script><g/>', '<g/>'],
  ['a handler', '<g onload="alert(1)" id="x"/>', '<g id="x"/>'],
  ['HTML', '<foreignObject><body onload="alert(1)"/></foreignObject>', ''],
  ['a link to a script', '<a href="javascript:alert(1)"><g/></a>', '<a><g/></a>'],
  ['a link to elsewhere', '<a href="https://evil.example"><g/></a>', '<a><g/></a>'],
  ['a picture from elsewhere', '<image href="https://evil.example/a.png"/>', '<image/>'],
  ['a picture of another type', '<image href="data:image/svg+xml;base64,AAAA"/>', '<image/>'],
  ['a part of another file', '<use xlink:href="https://evil.example/a.svg#b"/>', '<use/>'],
  ['an address that is set later', '<set attributeName="href" to="javascript:alert(1)"/>', ''],
  ['a fill from elsewhere', '<g fill="url(https://evil.example/a)"/>', '<g/>'],
  ['an imported style', '<style>@import "https://evil.example";</style>', '<style></style>'],
  ['a split import', '<style>@imp<!-- --><![CDATA[ort "//evil.example"]]></style>', '<style></style>'],
  ['an escaped address', '<style>g{fill:u\\72l(//evil.example)}</style>', '<style></style>'],
  ['an encoded element', '<text>&lt;script&gt;</text>', '<text>&lt;script&gt;</text>'],
])('%s is removed', (_name, inside, expected) => {
  expect(clean(inside)).toBe(expected);
});

test.each([
  ['is not closed', '<svg><g></svg>'],
  ['has an unknown entity', '<!DOCTYPE svg [<!ENTITY a "b">]><svg><text>&a;</text></svg>'],
  ['has a control character in its text', '<svg><text>a\u0001b</text></svg>'],
  ['has a control character in a CDATA section', '<svg><text><![CDATA[a\u0001b]]></text></svg>'],
  ['has half of a character in a CDATA section', '<svg><style><![CDATA[g{}\uD800]]></style></svg>'],
  ['has another root', '<html><svg/></html>'],
  ['has something after its root', '<svg/><script/>'],
  ['is an attribute without quotes', '<svg width=1/>'],
  ['has too many levels', `<svg>${'<g>'.repeat(200)}${'</g>'.repeat(200)}</svg>`],
  ['is a comment without end', `<svg><!--${'-'.repeat(100_000)}</svg>`],
])('what %s is no drawing', (_name, svg) => {
  expect(sanitizeSvg(svg)).toBeUndefined();
});

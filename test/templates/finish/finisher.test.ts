import { afterAll, describe, expect, test } from 'vitest';
import { createFinisher } from '../../../src/templates/finish/finish.ts';

const finisher = createFinisher({ threads: 1 });
afterAll(() => finisher.close());

const inline = (html: string) => finisher.finish(html, { inlineCss: true });
const minify = (html: string) => finisher.finish(html, { minify: true });

describe('inline_css', () => {
  test('rules go into style attributes, before what stands there already', async () => {
    expect(
      await inline(
        '<style>p { color: red; margin: 0 } #a { color: blue }</style><p id="a" style="margin:9px">x</p>',
      ),
    ).toBe('<p id="a" style="color: blue; margin: 9px;">x</p>');
  });

  test('what no attribute can hold stays in a style element', async () => {
    const html = await inline(`<html><head><style>
      .b { width: 30px }
      a:hover { color: blue }
      @media (max-width: 600px) { .b { width: 100% !important } }
      @font-face { font-family: X; src: url(https://shop.test/x.woff) }
    </style></head><body><p class="b">x</p></body></html>`);
    const [, kept = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
    expect(kept.replace(/\s+/g, ' ').trim()).toBe(
      'a:hover { color: blue; } @media (max-width: 600px) { .b { width: 100% !important; } } ' +
        '@font-face { font-family: X; src: url(https://shop.test/x.woff); }',
    );
    expect(html).toContain('<p class="b" style="width: 30px;">x</p>');
  });

  test('rules that answer to elements of mail programs, and what stands before or after an element, stay too', async () => {
    const html = await inline(
      '<style>.a::after { content: "!" } .a, .ExternalClass { color: red } [data-ogsc] .a { color: white } @supports (x: y) { .a { margin: 0 } }</style><p class="a">x</p>',
    );
    const [, kept = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
    expect(kept.replace(/\s+/g, ' ').trim()).toBe(
      '.a::after { content: "!"; } .ExternalClass { color: red; } [data-ogsc] .a { color: white; } @supports (x: y) { .a { margin: 0; } }',
    );
    expect(html).toContain('<p class="a" style="color: red;">x</p>');
  });

  test('a table whose text is aligned stays where it is', async () => {
    expect(await inline('<style>table { text-align: right }</style><table><tr><td>x</td></tr></table>')).toBe(
      '<table style="text-align: right;"><tr><td>x</td></tr></table>',
    );
  });

  test('what is written for Outlook stays as it is', async () => {
    const kept = [
      '<!--[if mso]><style>p { color: green }</style><table><tr><td><![endif]-->',
      '<!--[if !mso]><!--><b>others</b><!--<![endif]-->',
      '<![if !mso]><b>shown</b><![endif]>',
      '<td style="mso-padding-alt:10px 25px">x</td>',
    ];
    const html = await inline(`<style>p { color: red }</style>${kept.join('\n')}<p>x</p>`);
    for (const piece of kept) expect(html).toContain(piece);
  });

  test('a style sheet or picture elsewhere is left where it is and never fetched', async () => {
    const html =
      '<link rel="stylesheet" href="http://127.0.0.1:1/a.css"><style>@import url(http://127.0.0.1:1/b.css); p { color: red }</style><img src="http://127.0.0.1:1/c.png"><p>x</p>';
    expect(await inline(html)).toContain('<p style="color: red;">x</p>');
  });

  test('what looks like a mustache or a tag of another language is text', async () => {
    expect(await inline('<style>p { color: red }</style><p>{{name}} <% x %></p><p>}} [[y]]</p>')).toBe(
      '<p style="color: red;">{{name}} <% x %></p><p style="color: red;">}} [[y]]</p>',
    );
  });
});

describe('minify', () => {
  test.each([
    ['comments go', 'a<!-- note -->b', 'ab'],
    [
      'several spaces become one',
      '<p>Hello   <b>Ana</b>\n\n  <i>Ruiz</i></p>',
      '<p>Hello <b>Ana</b> <i>Ruiz</i></p>',
    ],
    [
      'a space between inline tags at the top stays',
      'Hello <b>Ana</b> <i>Ruiz</i> !',
      'Hello <b>Ana</b> <i>Ruiz</i> !',
    ],
    [
      'a non-breaking space stays',
      '<p>1&nbsp;&nbsp;kg\u00a0\u00a0x</p>',
      '<p>1&nbsp;&nbsp;kg\u00a0\u00a0x</p>',
    ],
    [
      'attributes stay',
      '<img src="a.png" alt="" title="say &quot;a  b&quot;">',
      '<img src="a.png" alt="" title="say &quot;a  b&quot;">',
    ],
    [
      'a quote in an attribute that is JSON stays',
      `<p title="{&quot;a&quot;:&quot;it's&quot;}">x</p>`,
      `<p title="{&quot;a&quot;:&quot;it's&quot;}">x</p>`,
    ],
    ['pre stays', '<pre>\n a\n   b</pre>', '<pre>\n a\n   b</pre>'],
    [
      'lines that a style keeps stay',
      '<p style="white-space: pre-line">a\n\n b</p><!-- x -->',
      '<p style="white-space: pre-line">a\n\n b</p>',
    ],
    [
      'the doctype stays',
      '<!doctype html>\n<html><body>x</body></html>',
      '<!doctype html> <html><body>x</body></html>',
    ],
    [
      'conditions of Outlook stay',
      '<!--[if mso]>  <td>  <![endif]--><!--[if !mso]><!--><p>x</p><!--<![endif]--><![if !mso]>y<![endif]>',
      '<!--[if mso]>  <td>  <![endif]--><!--[if !mso]><!--><p>x</p><!--<![endif]--><![if !mso]>y<![endif]>',
    ],
    ['styles stay', '<style>\n/* a */ p  { }\n</style>', '<style>\n/* a */ p  { }\n</style>'],
    ['end tags that close nothing go', '</div><p>x</p></div>', '<p>x</p>'],
  ])('%s', async (_name, html, expected) => {
    expect(await minify(html)).toBe(expected);
  });
});

describe('plain text', () => {
  test.each([
    [
      'links say where they lead',
      '<p><a href="https://shop.test/a?b=1&amp;c=2">Track it</a></p>',
      'Track it [https://shop.test/a?b=1&c=2]',
    ],
    [
      'unless that is what they say',
      '<a href="https://shop.test">https://shop.test</a> <a href="mailto:a@shop.test">a@shop.test</a>',
      'https://shop.test a@shop.test',
    ],
    [
      'pictures are their alternative text',
      '<img src="a.png" alt="A hat"><img src="b.png" alt=""><img src="c.png">',
      'A hat',
    ],
    [
      'cells stand beside each other and rows below',
      '<table><tr><td>Hat</td><td>$5</td></tr><tr><td>Sum</td><td>$5</td></tr></table>',
      'Hat $5\nSum $5',
    ],
    [
      'headings and lists',
      '<h1>Order</h1><ul><li>one</li><li>two</li></ul><ol><li>a</li></ol>',
      'Order\n\n * one\n * two\n\n 1. a',
    ],
    [
      'what is hidden is left out',
      '<div style="display:none;max-height:0">pre</div><p hidden>b</p><p>c</p>',
      'c',
    ],
    [
      'so are the head, styles and comments',
      '<html><head><title>T</title><style>p{}</style></head><body><!-- x -->y</body></html>',
      'y',
    ],
    [
      'a button that Outlook has another one for is not hidden',
      '<!--[if mso]><v:roundrect>Pay</v:roundrect><![endif]--><a href="https://shop.test" style="mso-hide:all">Pay</a>',
      'Pay [https://shop.test]',
    ],
    ['entities are characters', '<p>Caf&eacute; &amp; t&#233; &zwnj;</p>', 'Café & té \u200c'],
  ])('%s', async (_name, html, expected) => {
    expect(await finisher.plainText(html)).toBe(expected);
  });

  test('lines are at most 78 characters long, but no word is broken', async () => {
    const text = await finisher.plainText(`<p>${'word '.repeat(40)}${'x'.repeat(100)}</p>`);
    const lines = text.split('\n');
    expect(lines.slice(0, -1).every((line) => line.length <= 78)).toBe(true);
    expect(lines.at(-1)).toBe('x'.repeat(100));
  });
});

describe('mails that would not be finished soon', () => {
  const impatient = createFinisher({ threads: 1, ms: 800 });
  afterAll(() => impatient.close());
  const deep = '<div>'.repeat(200_000);
  const manySelectors = `<style>${'div div div div div div div p { color: red }\n'.repeat(10_000)}</style>${'<div>'.repeat(300)}${'<p>x</p>'.repeat(20_000)}`;
  const hugeStyle = `<style>${'.a{color:red}'.repeat(380_000)}</style><p class="a">x</p>`;

  test.each([
    ['selectors of many elements', 'inline_css', manySelectors],
    ['5 MB of style', 'inline_css', hugeStyle],
    ['200,000 elements inside one another', 'inline_css', deep],
    ['200,000 elements inside one another', 'minify', deep],
    ['200,000 elements inside one another', 'plain_text', deep],
  ])('%s end %s, and the fault names it', async (_name, option, html) => {
    const finished =
      option === 'plain_text'
        ? impatient.plainText(html)
        : impatient.finish(html, { inlineCss: option === 'inline_css', minify: option === 'minify' });
    await expect(finished).rejects.toMatchObject({ code: 'render_limit', params: { option } });
  });

  test('and the next mail is still finished', async () => {
    expect(await impatient.finish('<p>a  b</p>', { minify: true })).toBe('<p>a b</p>');
  });

  test('a mail that grows over 5 MB is refused', async () => {
    const html = `<style>p { font-family: ${'x'.repeat(3000)} }</style>${'<p>x</p>'.repeat(2000)}`;
    await expect(inline(html)).rejects.toMatchObject({ key: 'render_limit.bytes' });
  });

  test('a finisher can be closed before its first mail, and twice', async () => {
    const unused = createFinisher();
    await unused.close();
    await unused.close();
  });

  test('what waits when a finisher is closed fails, and starts no thread again', async () => {
    const closing = createFinisher({ threads: 1 });
    const texts = Promise.allSettled(['a', 'b', 'c'].map((text) => closing.plainText(text)));
    await closing.close();
    const reasons = (await texts).map((text) => text.status === 'rejected' && text.reason);
    expect(reasons.slice(1)).toMatchObject(Array(2).fill({ key: 'unavailable.finisher_busy' }));
  });
});

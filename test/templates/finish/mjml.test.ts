import mjml from 'mjml';
import { afterAll, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { createEngine, type Program } from '../../../src/templates/engine/engine.ts';
import { createFinisher } from '../../../src/templates/finish/finish.ts';
import { prepareMjml } from '../../../src/templates/finish/mjml/mask-expressions.ts';

const engine = createEngine({ threads: 1, timeLimitFactor: 30 });
const finisher = createFinisher({ threads: 1 });
afterAll(() => Promise.all([engine.close(), finisher.close()]));

type Data = Parameters<typeof engine.render>[1];

const prepare = (html: string) => prepareMjml({ engine, finisher }, { kind: 'template', html });
const render = async (html: string, data: Data = {}, partials = new Map<string, Program>()) =>
  engine.render(await prepare(html), data, { partials }).html;
const plainMjml = async (source: string) =>
  (await mjml(source, { fonts: {}, ignoreIncludes: true, keepComments: true, validationLevel: 'strict' }))
    .html;

const body = (inner: string, head = '') =>
  `<mjml>${head && `<mj-head>${head}</mj-head>`}<mj-body>${inner}</mj-body></mjml>`;
const column = (inner: string, head = '') =>
  body(`<mj-section><mj-column>${inner}</mj-column></mj-section>`, head);
const words = (html: string) =>
  html
    .replace(/<(style|head)[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<[^>]+>/g, ' ')
    .trim()
    .split(/\s+/);

/** The errors of a source, shortly: key, line, column, and what is said of the MJML. */
async function errorsOf(source: string) {
  const fault = await prepare(source).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof Fault)) throw fault ?? new Error('the source was taken');
  return fault.errors.map(({ line, col, ...detail }) =>
    ['key' in detail && detail.key, line, col, 'params' in detail && detail.params?.['reason']].filter(
      (part) => part !== undefined,
    ),
  );
}

describe('mustaches that print', () => {
  test.each([
    [
      'a hero',
      body(
        '<mj-hero background-color="{{color}}" background-url="https://shop.test/{{image}}" height="300px"><mj-text color="{{color}}">{{title}}</mj-text></mj-hero>',
      ),
    ],
    [
      'two columns',
      body(
        '<mj-section background-color="{{color}}"><mj-column><mj-text>{{title}}</mj-text></mj-column><mj-column><mj-image src="https://shop.test/{{image}}" alt="{{title}}" /></mj-column></mj-section>',
      ),
    ],
    ['a button', column('<mj-button href="{{url}}" background-color="{{color}}">{{title}}</mj-button>')],
    [
      'defaults and classes',
      column(
        '<mj-text mj-class="big">{{title}}</mj-text>',
        '<mj-attributes><mj-all color="{{color}}" /><mj-class name="big" font-size="30px" container-background-color="{{color}}" /></mj-attributes>',
      ),
    ],
    [
      'inline styles',
      column(
        '<mj-text css-class="note"><p class="in">{{title}}</p></mj-text>',
        '<mj-style inline="inline">.in { color: {{color}}; }</mj-style><mj-style>.note > p { margin: 0 }</mj-style>',
      ),
    ],
    [
      'title and preview',
      column('<mj-text>x</mj-text>', '<mj-title>{{title}}</mj-title><mj-preview>{{title}}</mj-preview>'),
    ],
    [
      'a table and html',
      column(
        '<mj-table><tr><td title="{{title}}">{{title}}</td></tr></mj-table><mj-raw><p>{{title}}</p></mj-raw>',
      ),
    ],
    [
      'menus and social links',
      column(
        '<mj-social><mj-social-element name="web" src="https://shop.test/{{image}}" href="{{url}}">{{title}}</mj-social-element></mj-social>',
      ),
    ],
  ])('%s: what is rendered is what MJML makes of the filled source', async (_name, source) => {
    const data: Record<string, string> = {
      color: '#ff0000',
      image: 'a.png',
      title: 'Sale',
      url: 'https://shop.test/1',
    };
    const filled = source.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => data[name] ?? '');
    expect(await render(source, data)).toBe(await plainMjml(filled));
  });

  test('a value is escaped, and an address is checked', async () => {
    const source = column('<mj-button href="{{url}}">{{title}}</mj-button>');
    const html = await render(source, { url: 'javascript:alert(1)', title: '<b>' });
    expect(html).toContain('href="#"');
    expect(html).toContain('&lt;b&gt;');
  });

  test('quotes and angle brackets in a mustache mean nothing to MJML', async () => {
    const source = column(
      '<mj-button href="{{default url "https://shop.test"}}">{{#if (eq a "<mj-text>")}}yes{{else}}no{{/if}}</mj-button>',
    );
    const html = await render(source, { a: '<mj-text>' });
    expect(html).toContain('href="https://shop.test"');
    expect(words(html)).toEqual(['yes']);
  });

  test('no web font is linked unless the source asks for it', async () => {
    const text = (head: string) => column('<mj-text font-family="Roboto, Acme">x</mj-text>', head);
    expect(await render(text(''))).not.toContain('https://fonts');
    expect(await render(text('<mj-font name="Acme" href="https://shop.test/acme.css" />'))).toContain(
      'https://shop.test/acme.css',
    );
  });
});

describe('block tags between elements', () => {
  test('around sections, columns and what stands in a column', async () => {
    const source = body(`
      {{#if vip}}
        <mj-section><mj-column><mj-text>Dear</mj-text></mj-column></mj-section>
      {{else}}
        <mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>
      {{/if}}
      {{! a note }}
      <mj-section>
        {{#each products}}
        <mj-column width="50%">
          <mj-image src="{{image}}" width="100px" />
          {{#if sale}}<mj-text>{{title}}!</mj-text>{{/if}}
        </mj-column>
        {{/each}}
      </mj-section>`);
    const products = [
      { image: 'https://shop.test/1.png', title: 'Hat', sale: true },
      { image: 'https://shop.test/2.png', title: 'Tie', sale: false },
    ];
    const html = await render(source, { vip: true, products });
    expect(words(html)).toEqual(['Dear', 'Hat!']);
    expect(html.match(/src="[^"]+"/g)).toEqual(products.map(({ image }) => `src="${image}"`));
    expect(words(await render(source, { products: [] }))).toEqual(['Hello']);
  });

  test('what Outlook reads is whole in every pass of a loop', async () => {
    const html = await render(
      body('{{#each a}}<mj-section><mj-column><mj-text>{{this}}</mj-text></mj-column></mj-section>{{/each}}'),
      { a: ['x', 'y', 'z'] },
    );
    const outlook = html.replaceAll('<!--[if mso | IE]>', '').replaceAll('<![endif]-->', '');
    for (const tag of ['table', 'tr', 'td']) {
      expect(outlook.match(new RegExp(`<${tag}\\b`, 'g'))).toHaveLength(
        outlook.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0,
      );
    }
  });

  test('a partial of html stands where it is called', async () => {
    const footer = await engine.prepare({ kind: 'partial', html: '<p>{{shop}}</p>' });
    const source = body('<mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section>{{> footer}}');
    expect(words(await render(source, { shop: 'Lace' }, new Map([['footer', footer]])))).toEqual([
      'a',
      'Lace',
    ]);
  });

  test('inside text they stay in the text', async () => {
    const source = column('<mj-text><ul>{{#each a}}<li>{{this}}</li>{{/each}}</ul></mj-text>');
    expect(await render(source, { a: ['x', 'y'] })).toContain('<ul><li>x</li><li>y</li></ul>');
  });
});

describe('what is refused, with its place in the MJML', () => {
  test.each([
    ['a block that never ends', '<mjml>\n{{#if a}}', [['template_invalid.block_open', 2, 1]]],
    [
      'an element that MJML does not know',
      body('\n<mj-section>\n<mj-colum></mj-colum></mj-section>'),
      [['template_invalid.mjml', 3, "Element mj-colum doesn't exist or is not registered"]],
    ],
    [
      'an element at a wrong place, after mustaches of several lines',
      body('<mj-section>{{!\n\n}}<mj-column>\n<mj-section></mj-section></mj-column></mj-section>'),
      [['template_invalid.mjml', 4, expect.stringMatching(/^mj-section cannot be used inside mj-column/)]],
    ],
    [
      'elements that are not closed',
      '<mjml><mj-body>\n<mj-section>\n<mj-column></mj-section></mj-body>',
      [
        ['template_invalid.mjml', 3, '<mj-column> is never closed'],
        ['template_invalid.mjml', 1, '<mjml> is never closed'],
      ].toReversed(),
    ],
    [
      'an open element of html, which takes the other ends for text',
      '<mjml><mj-body>\n<mj-section><mj-column>\n<mj-text>x</mj-column></mj-section></mj-body></mjml>',
      [['template_invalid.mjml', 3, '<mj-text> is never closed']],
    ],
    [
      'an end tag without its start',
      body('</mj-section>'),
      [['template_invalid.mjml', 1, '</mj-section> closes nothing']],
    ],
    [
      'what is not MJML',
      '<p>Hello</p>',
      [['template_invalid.mjml', 1, expect.stringMatching(/^Malformed MJML/)]],
    ],
    [
      'a width from the data, which MJML calculates with',
      column('\n<mj-image src="a.png" width="{{w}}px" />'),
      [
        [
          'template_invalid.mjml',
          2,
          expect.stringMatching(/^Attribute width has invalid value: \{\{w\}\}px/),
        ],
      ],
    ],
    ['a file', body('\n<mj-include path="/etc/passwd" />'), [['template_invalid.mjml_include', 2]]],
    [
      'a file as css',
      `<mjml><mj-head><mj-include path="./package.json" type="css" /></mj-head><mj-body></mj-body></mjml>`,
      [['template_invalid.mjml_include', 1]],
    ],
    [
      'a block where nothing can hold it',
      '{{#if a}}\n<mjml><mj-body></mj-body></mjml>{{/if}}',
      [
        ['template_invalid.mjml_place', 1, 1],
        ['template_invalid.mjml_place', 2, 33],
      ],
    ],
    [
      'a block in the head',
      body('', '\n {{#if a}}<mj-title>x</mj-title>{{/if}}'),
      [
        ['template_invalid.mjml_place', 2, 2],
        ['template_invalid.mjml_place', 2, 33],
      ],
    ],
    [
      'a variable in a style sheet',
      body('', '\n<mj-style>\na { color: {{c}} }</mj-style>'),
      [['unsafe_context.style', 3, 12]],
    ],
    [
      'a variable in a handler',
      column('<mj-text><a onclick="{{x}}">y</a></mj-text>'),
      [['unsafe_context.event', 1, 60]],
    ],
    [
      'a variable that MJML puts into a handler',
      column(
        '<mj-text css-class="a">x</mj-text>',
        '\n<mj-html-attributes><mj-selector path=".a">\n<mj-html-attribute name="onclick">{{x}}</mj-html-attribute></mj-selector></mj-html-attributes>',
      ),
      [['unsafe_context.event', 3, 35]],
    ],
    [
      'a variable as script in html',
      column('\n<mj-raw><script>{{x}}</script></mj-raw>'),
      [['unsafe_context.script', 2, 17]],
    ],
  ])('%s', async (_name, source, expected) => {
    expect(await errorsOf(source)).toEqual(expected);
  });

  test('an attribute that MJML does not know changes nothing', async () => {
    expect(await render(column('<mj-text nonsense="1">x</mj-text>'))).toBe(
      await render(column('<mj-text>x</mj-text>')),
    );
  });

  test.each([['layout'], ['partial']] as const)('a %s', async (kind) => {
    await expect(prepareMjml({ engine, finisher }, { kind, html: body('') })).rejects.toMatchObject({
      key: 'template_invalid.mjml_kind',
      params: { kind },
    });
  });

  test('a layout around it', async () => {
    const source = { kind: 'template', html: body(''), inLayout: true } as const;
    await expect(prepareMjml({ engine, finisher }, source)).rejects.toMatchObject({
      key: 'template_invalid.mjml_layout',
    });
  });
});

test('html made of MJML may be larger than what can be written', async () => {
  const section = '<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>';
  const html = await render(body(section.repeat(400)));
  expect(html.length).toBeGreaterThan(256 * 1024);
});

test('MJML that takes too long is ended, and the next is still compiled', async () => {
  const impatient = createFinisher({ threads: 1, ms: 500 });
  const column = '<mj-column><mj-text>x</mj-text></mj-column>';
  await expect(
    impatient.compileMjml(body(`<mj-section>${column.repeat(20_000)}</mj-section>`)),
  ).rejects.toMatchObject({
    key: 'template_too_complex.time',
  });
  expect(await impatient.compileMjml(body(''))).toHaveProperty('html');
  await impatient.close();
});

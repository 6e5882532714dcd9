import { expect, test } from 'vitest';
import { lint } from '../../../src/templates/lint/lint.ts';
import { LINT_RULES, type Mail, type RuleId } from '../../../src/templates/lint/rules.ts';

type Case = {
  readonly rule: RuleId;
  /** Mails the rule finds something in, once each; a text is the body. */
  readonly finds: readonly (string | Partial<Mail>)[];
  /** Mails close to those that the rule finds nothing in. */
  readonly passes: readonly (string | Partial<Mail>)[];
};

const DOCUMENT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light dark"><title>Hello</title></head><body>';
const without = (part: string): Partial<Mail> => ({ html: DOCUMENT.replace(part, '') });
const head = (part: string): Partial<Mail> => ({ html: DOCUMENT.replace('</head>', `${part}</head>`) });
const image = (attributes: string) => `<img width="9" alt="" src="https://a.example/b.png" ${attributes}>`;
const link = (address: string) => `<a href="${address}">Your order</a>`;
const on = (background: string, inner: string) =>
  `<div style="background-color:${background}">${inner}</div>`;
const source = (address: string) => `<img width="9" alt="" src="${address}">`;

/** Bytes that are known of images. */
const WEIGHTS = { 'https://a.example/heavy.png': 600_000, 'https://a.example/light.png': 400_000 };

const CASES: readonly Case[] = [
  { rule: 'size-clip', finds: ['x'.repeat(102_400)], passes: ['x'.repeat(90_000)] },
  { rule: 'size-near-clip', finds: ['x'.repeat(90_000)], passes: ['x'.repeat(70_000), 'x'.repeat(102_400)] },
  {
    rule: 'style-size',
    finds: [head(`<style>${'.a{color:red}'.repeat(1500)}</style>`)],
    passes: [head(`<style>${'.a{color:red}'.repeat(1000)}</style>`)],
  },
  {
    rule: 'client-support',
    finds: [
      '<p style="display:flex">a</p>',
      '<p style="display:flex">a</p><p style="display:flex">b</p>',
      head('<style>.a { position: absolute }</style>'),
      '<p style="background:linear-gradient(red, blue)">a</p>',
      '<p style="color:var(--ink)">a</p>',
      source('https://a.example/b.webp?c=1'),
      '<input type="checkbox">',
    ],
    passes: [
      '<p style="border-radius:4px;box-shadow:0 1px 2px rgba(0,0,0,.2)">a</p>',
      '<p style="display:block;display:flex">a</p>',
      '<p style="display:none"><span style="display:flex">a</span></p>',
      '<p style="background-color:#fff;background-image:linear-gradient(red, blue)">a</p>',
      '<!--[if mso]><v:fill src="a"/><![endif]--><p style="background-image:url(https://a.example/b.png)">a</p>',
      head('<style>.a:hover { position: absolute } @media print { .a { display: grid } }</style>'),
      '<p style="content:\';display:flex\'">a</p>',
    ],
  },
  {
    rule: 'conditional-comment',
    finds: [
      '<!--[if mso]><b>a</b>-->',
      '<!--[if mso]><b> <p>a</p> <!--[if mso]></b><![endif]-->',
      '<!--[if !mso]><!--><p>a</p>',
    ],
    passes: [
      '<!--[if mso]><b>a</b><![endif]-->',
      '<!--[if !mso]><!--><p>a</p><!--<![endif]-->',
      '<!--[if !mso]><!-- --><p>a</p><!-- <![endif]-->',
      '<![if !mso]><p>a</p><![endif]>',
      '<!-- if all is well -->',
    ],
  },
  {
    rule: 'unclosed-element',
    finds: ['<div><p>a', '<table role="none"><tr><td>a', '<b><i>a</b></i>'],
    passes: ['<p>a<p>b', '<ul><li>a<li>b</ul>', '<table><tr><td>a</table>', '<br><img><hr>'],
  },
  {
    rule: 'script',
    finds: ['<script>alert(1)</script>'],
    passes: ['<script type="application/ld+json">{}</script>', '<p>&lt;script&gt;</p>'],
  },
  { rule: 'embedded-content', finds: ['<iframe src="a"></iframe>', '<video></video>'], passes: ['<img>'] },
  { rule: 'form', finds: ['<form></form>'], passes: ['<p>form</p>'] },
  {
    rule: 'css-import',
    finds: [
      head('<style>@import url(a.css);</style>'),
      head('<link rel="stylesheet" href="https://a.example">'),
    ],
    passes: [head('<style>/* @import url(a.css); */</style>'), head('<link rel="icon" href="a">')],
  },
  {
    rule: 'doctype',
    finds: [without('<!doctype html>'), { html: '' }],
    passes: ['', { html: '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>a</p>' }],
  },
  {
    rule: 'html-lang',
    finds: [without(' lang="en"'), { html: '<html lang=" "><p>a</p>' }],
    passes: ['', { html: '<div lang="es">a</div>' }],
  },
  { rule: 'title', finds: [without('Hello'), { html: '<p>a</p>' }], passes: [''] },
  {
    rule: 'charset',
    finds: [without('<meta charset="utf-8">')],
    passes: ['', { html: '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">' }],
  },
  { rule: 'viewport', finds: [without(' name="viewport"')], passes: [''] },
  { rule: 'color-scheme', finds: [without(' name="color-scheme"')], passes: [''] },
  {
    rule: 'table-role',
    finds: ['<table><tr><td>a</table>', '<table><tr><td><table><tr><th>a</table></table>'],
    passes: [
      '<table role="presentation"></table>',
      '<table><tr><th>a</table>',
      '<table><caption>a</caption></table>',
    ],
  },
  {
    rule: 'img-source',
    finds: [
      source(''),
      source('logo.png'),
      source('/logo.png'),
      source('#'),
      '<img alt="" width="9">',
      source('file:a'),
    ],
    passes: [
      source('https://a.example/b'),
      source('cid:logo'),
      source('*|LOGO|*'),
      source('http://a.example'),
    ],
  },
  {
    rule: 'img-insecure',
    finds: [source('http://a.example/b.png'), source('//a.example/b.png')],
    passes: [source('https://a.example/b.png')],
  },
  { rule: 'img-data', finds: [source('data:image/png;base64,AA')], passes: [source('cid:a')] },
  {
    rule: 'img-weight',
    finds: [source('https://a.example/heavy.png')],
    passes: [source('https://a.example/light.png'), source('https://a.example/heavy.png?w=600')],
  },
  {
    rule: 'img-alt',
    finds: [
      '<img src="https://a.example/b.png">',
      '<img src="https://a.example/b.png" width="1" height="40">',
    ],
    passes: [image(''), image('alt="A boat"'), '<img src="https://a.example/o.gif" width="1" height="1">'],
  },
  {
    rule: 'img-dimensions',
    finds: ['<img alt="" src="https://a.example/b.png">'],
    passes: [image(''), '<img alt="" src="https://a.example/b.png" style="max-width:9px;width:100%">'],
  },
  {
    rule: 'link-broken',
    finds: [link('/orders'), link('www.example.com'), link('https://'), link('https://a b.example')],
    passes: [
      link('https://a.example/b c?d=%'),
      link('tel:+1'),
      link('#top'),
      link('%unsubscribe_url%'),
      link('[web]'),
    ],
  },
  {
    rule: 'link-script',
    finds: [link('javascript:void(0)'), link('java\nscript:a')],
    passes: [link('https://a.example')],
  },
  {
    rule: 'link-unfilled',
    finds: [link('https://a.example/{{id}}'), link('{{url}}'), link('https://a.example/%7B%7Bid%7D%7D')],
    passes: [link('https://a.example/{id}'), link('https://a.example/?q={{}}')],
  },
  {
    rule: 'link-empty',
    finds: [link(''), link('#'), '<a>Your order</a>'],
    passes: [link('#top'), '<a name="top"></a>', '<a id="top"></a>'],
  },
  {
    rule: 'link-mailto',
    finds: [link('mailto:ana'), link('mailto:'), link('mailto:ana@example'), link('mailto:ana @example.com')],
    passes: [
      link('mailto:ana@example.com?subject=Hi'),
      link('mailto:a@b.example,c@d.example'),
      link('mailto:?subject=Look'),
      link('mailto:ana%2Bshop@example.com'),
    ],
  },
  {
    rule: 'link-private',
    finds: [
      link('http://localhost:3000/a'),
      link('https://192.168.1.4'),
      link('https://[::1]/'),
      link('http://intranet'),
    ],
    passes: [link('https://8.8.8.8'), link('https://localhost.example'), link('https://*|HOST|*/a')],
  },
  {
    rule: 'link-name',
    finds: ['<a href="https://a.example"></a>', `<a href="https://a.example">&nbsp;${image('')}</a>`],
    passes: [
      link('https://a.example'),
      '<a href="https://a.example" aria-label="Home"></a>',
      '<a href="https://a.example"><img alt="Home" width="9" src="https://a.example/b.png"></a>',
    ],
  },
  { rule: 'link-insecure', finds: [link('http://a.example')], passes: [link('https://a.example')] },
  {
    rule: 'link-text',
    finds: ['<a href="https://a.example">Click <b>here</b></a>', '<a href="https://a.example">Aquí →</a>'],
    passes: ['<a href="https://a.example">Click here for your order</a>'],
  },
  {
    rule: 'unsubscribe',
    finds: ['', link('https://a.example')],
    passes: [
      '<a href="https://a.example/u">Unsubscribe</a>',
      '<a href="https://a.example/unsubscribe">No more mail</a>',
      '<a href="https://a.example/u">Darse de baja</a>',
      '<a href="https://a.example/u">Cancelar la suscripción</a>',
    ],
  },
  {
    rule: 'unfilled-variable',
    finds: [
      '<p>Hello {{name}}</p>',
      { subject: 'Hi {{name}}' },
      { preheader: '{{offer}}' },
      { text: 'Hi {{name}}' },
    ],
    passes: ['<code>{{name}}</code>', '<p>{{}} {name}</p>', '<!-- {{name}} -->', '<style>{{name}}</style>'],
  },
  {
    rule: 'foreign-tag',
    finds: [
      '<p>Hello *|FNAME|*</p>',
      '<p>Hello {% firstname %}</p>',
      '<p>Hello <%= name %></p>',
      '<p>Hello \u0024{name}</p>',
      '<p>Hello %recipient.name%</p>',
      '<p>Hello %%first_name%%</p>',
      '<p>Hello %FIRSTNAME%</p>',
      '<p>Hello [[name]]</p>',
      { subject: 'Hi *|FNAME|*' },
      { text: 'Hi %recipient.name%' },
    ],
    passes: [
      '<code>\u0024{name}</code>',
      '<p>100% cotton, 20% off, $5 {a} [1] [b] 50%off% %</p>',
      '<a href="*|UNSUB|*">Unsubscribe</a>',
      '<style>a{width:100%}</style>',
    ],
  },
  {
    rule: 'contrast',
    finds: [
      on('#ffffff', '<p style="color:#aaaaaa">a</p>'),
      on('#fff', '<p style="color:rgb(170, 170, 170)">a</p><p style="color:#aaa">b</p>'),
      on('white', '<p style="color:#8a8a8a;font-size:14px">a</p>'),
      on('white', '<h2 style="color:silver">a</h2>'),
      '<table role="none"><tr><td bgcolor="#000000"><font color="#222222">a</font></td></tr></table>',
      { html: `${DOCUMENT}<style>.a{color:#aaa;background:#fff}</style><p class="a">a</p>` },
    ],
    passes: [
      on('#ffffff', '<p style="color:#595959;font-size:14px">a</p>'),
      on('#ffffff', '<p style="color:#8a8a8a;font-size:24px">a</p>'),
      on('rgba(0,0,0,.5)', '<p style="color:#aaaaaa">a</p>'),
      on('#ffffff;background-image:url(https://a.example/b.png)', '<p style="color:#aaaaaa">a</p>'),
      on('#ffffff', '<p style="color:#aaaaaa;opacity:.9">a</p>'),
      on('#ffffff', '<p style="color:#ffffff;display:none">a</p>'),
      on('#ffffff', '<p style="color:#aaaaaa"> &nbsp; </p>'),
      '<p style="color:#aaaaaa">a</p>',
      {
        html: `${DOCUMENT}<style>.a .b{color:#000}</style>${on('#fff', '<p class="b" style="font-size:9em">a</p>')}`,
      },
      {
        html: `${DOCUMENT}<style>.b{color:#000!important}</style>${on('#fff', '<p class="b" style="color:#aaa">a</p>')}`,
      },
    ],
  },
  {
    rule: 'font-tiny',
    finds: [
      '<p style="font-size:9px">a</p>',
      '<p style="font-size:20px"><span style="font-size:40%">a</span></p>',
    ],
    passes: [
      '<p style="font-size:11px">a</p>',
      '<td style="font-size:1px">&nbsp;</td>',
      '<p style="font-size:0">a</p>',
    ],
  },
  {
    rule: 'font-small',
    finds: ['<p style="font-size:11px">a</p>', '<p style="font-size:8pt">a</p>'],
    passes: [
      '<p style="font-size:12px">a</p>',
      '<p style="font-size:9px">a</p>',
      '<p style="font-size:9pt">a</p>',
    ],
  },
  {
    rule: 'font-fallback',
    finds: ['<p style="font-family:Inter">a</p>', '<p style="font-family:\'Open Sans\', Inter">a</p>'],
    passes: ['<p style="font-family:Inter, Arial">a</p>', '<p style="font-family:Inter,sans-serif">a</p>'],
  },
  { rule: 'subject-missing', finds: [{}, { subject: ' ' }], passes: [{ subject: 'Your order' }] },
  { rule: 'subject-long', finds: [{ subject: 'é'.repeat(79) }], passes: [{ subject: 'é'.repeat(78) }] },
  {
    rule: 'subject-style',
    finds: [
      { subject: 'GREAT OFFERS' },
      { subject: '🎁🎁' },
      { subject: 'RE: your order' },
      { subject: 'Free!!!' },
    ],
    passes: [{ subject: 'Your NASA order 🎁!' }, { subject: 'FAQ' }, { subject: '订单已发货请注意查收' }],
  },
  {
    rule: 'preheader-missing',
    finds: ['<p>Hello</p>', { preheader: ' ' }],
    passes: [
      { preheader: 'It is on its way' },
      '<div style="display:none">It is on its way</div><p>Hello</p>',
    ],
  },
  {
    rule: 'preheader-long',
    finds: [{ preheader: 'a'.repeat(141) }],
    passes: [{ preheader: 'a'.repeat(140) }],
  },
  { rule: 'text-missing', finds: [{}, { text: '\n' }], passes: [{ text: 'Hello' }] },
];

const mailOf = (given: string | Partial<Mail>): Mail =>
  typeof given === 'string' ? { html: DOCUMENT + given } : { html: DOCUMENT, ...given };

test('every rule has mails it finds something in and mails it passes', () => {
  expect(CASES.map(({ rule }) => rule).sort()).toEqual(LINT_RULES.map(({ id }) => id).sort());
});

test.each(CASES)('$rule finds what it is for and nothing else', ({ rule, finds, passes }) => {
  const severity = LINT_RULES.find(({ id }) => id === rule)?.severity;
  for (const given of [...finds, ...passes]) {
    const { findings } = lint(mailOf(given), { rules: [rule], weights: WEIGHTS });
    const expected = finds.includes(given) ? [{ rule, severity }] : [];
    expect({ given, found: findings.map((one) => ({ rule: one.rule, severity: one.severity })) }).toEqual({
      given,
      found: expected,
    });
  }
});

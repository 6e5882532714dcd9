import { describe, expect, it } from 'vitest';
import { html, output, prepared, problemsOf } from './prepared.ts';

describe('a variable is refused where escaping does not make it harmless', () => {
  it.each([
    ['<script>var a = "{{x}}";</script>', ['unsafe_context.script html 1:18']],
    ['<script type="application/ld+json">{"n": "{{x}}"}</script>', ['unsafe_context.script html 1:43']],
    ['<SCRIPT>\n {{x}} {{y}}</SCRIPT>', ['unsafe_context.script html 2:2', 'unsafe_context.script html 2:8']],
    ['<script><!-- <script> </script> {{x}} --></script>', ['unsafe_context.script html 1:33']],
    ['<style>p { color: {{x}} }</style>', ['unsafe_context.style html 1:19']],
    ['<p onclick="go({{x}})">', ['unsafe_context.event html 1:16']],
    ["<p ONERROR = '{{x}}'>", ['unsafe_context.event html 1:15']],
    ['<p title={{x}}>', ['unsafe_context.unquoted html 1:10']],
    ['<p title=a{{x}}>', ['unsafe_context.unquoted html 1:11']],
    ['<p title= {{x}}>', ['unsafe_context.unquoted html 1:11']],
    ['<{{x}}>', ['unsafe_context.tag html 1:2']],
    ['</{{x}}>', ['unsafe_context.tag html 1:3']],
    ['<p {{x}}>', ['unsafe_context.tag html 1:4']],
    ['<p {{x}}="1">', ['unsafe_context.tag html 1:4']],
    ['<p data-{{x}}="1">', ['unsafe_context.tag html 1:9']],
    ['<p title="a"{{x}}>', ['unsafe_context.tag html 1:13']],
    ['<title></titl{{x}}><p title="{{y}}', ['unsafe_context.tag html 1:14']],
    ['<!--{{x}}>', ['unsafe_context.comment_end html 1:5']],
    ['<!-- -{{x}}->', ['unsafe_context.comment_end html 1:7']],
    ['<!-- {{x}}{{y}}!> -->', ['unsafe_context.comment_end html 1:11']],
    ['<svg><![CDATA[ > {{x}}]>]]>', ['unsafe_context.comment_end html 1:18']],
    ['<!DOCTYPE {{x}}>', ['unsafe_context.tag html 1:11']],
    ['<iframe srcdoc="{{x}}"></iframe>', ['unsafe_context.srcdoc html 1:17']],
    ['<script src="{{x}}"></script>', ['unsafe_context.code_address html 1:14']],
    ['<base href="{{x}}">', ['unsafe_context.code_address html 1:13']],
    ['<svg><set attributeName="href" to="{{x}}" /></svg>', ['unsafe_context.animation html 1:36']],
    ['<a href="javascript:go(\'{{x}}\')">', ['unsafe_context.script_address html 1:25']],
    ['<a href=" Java&#x53;cript&colon;{{x}}">', ['unsafe_context.script_address html 1:33']],
    ['<a href="data:text/html,{{x}}">', ['unsafe_context.script_address html 1:25']],
    ['<a href="{{scheme}}://{{host}}">', ['unsafe_context.split_scheme html 1:10']],
    ['<a href="java{{x}}:alert(1)">', ['unsafe_context.split_scheme html 1:14']],
    // `javascript` and `8alert(1)`, or `#58alert(1)`: the values write the colon.
    ['<a href="{{x}}&#5{{y}}">', ['unsafe_context.split_scheme html 1:10']],
    ['<a href="{{x}}&{{y}}">', ['unsafe_context.split_scheme html 1:10']],
    [
      '<meta http-equiv="refresh" content="0; url=javascript:{{x}}">',
      ['unsafe_context.script_address html 1:55'],
    ],
    ['{{#if a}}<script>{{/if}}{{x}}{{#if a}}</script>{{/if}}', ['unsafe_context.script html 1:25']],
    ['<p {{#if a}}title="{{else}}class={{/if}}{{x}}">', ['unsafe_context.unquoted html 1:41']],
    ['{{#each a}}{{x}}<style>{{/each}}', ['unsafe_context.style html 1:12']],
    ['<p title="{{> part}}">', ['unsafe_context.partial html 1:11']],
    ['<style>{{> part}}</style>', ['unsafe_context.partial html 1:8']],
    ['{{#> part}}<p {{/part}}', ['unsafe_context.open_end html 1:1']],
    ['{{#*inline "a"}}<script>{{/inline}}', ['unsafe_context.open_end html 1:1']],
  ])('%s', (source, problems) => {
    expect(problemsOf(source)).toEqual(problems);
  });

  it('and so is a partial that ends inside a tag', () => {
    expect(problemsOf({ kind: 'partial', html: '<a href="' })).toEqual(['unsafe_context.open_end html 1:1']);
  });
});

describe('a variable is let through where it is harmless', () => {
  it.each([
    ['<p>{{x}}</p>', '<p>&lt;b&gt;&quot;</p>'],
    [
      '<title>{{x}}</title><textarea>{{x}}</textarea>',
      '<title>&lt;b&gt;&quot;</title><textarea>&lt;b&gt;&quot;</textarea>',
    ],
    ['<p title="{{x}}" class=\'a {{x}}\'>', '<p title="&lt;b&gt;&quot;" class=\'a &lt;b&gt;&quot;\'>'],
    ['<p style="color: {{x}}">', '<p style="color: &lt;b&gt;&quot;">'],
    ['<!-- {{x}} -->', '<!-- &lt;b&gt;&quot; -->'],
    [
      '<!--{{x}}{{x}} {{x}}{{x}}{{x}}--><p>{{x}}',
      '<!--&lt;b&gt;&quot;&lt;b&gt;&quot; &lt;b&gt;&quot;&lt;b&gt;&quot;&lt;b&gt;&quot;--><p>&lt;b&gt;&quot;',
    ],
    ['<!--[if mso]><td width="{{x}}"><![endif]-->', '<!--[if mso]><td width="&lt;b&gt;&quot;"><![endif]-->'],
    [
      '<!--[if !mso]><!-->{{x}}<!--<![endif]-->{{x}}',
      '<!--[if !mso]><!-->&lt;b&gt;&quot;<!--<![endif]-->&lt;b&gt;&quot;',
    ],
    ['1 < 2 {{x}} a<3 {{x}}', '1 < 2 &lt;b&gt;&quot; a<3 &lt;b&gt;&quot;'],
    ['<td {{#if x}}class="{{x}}"{{/if}}>', '<td class="&lt;b&gt;&quot;">'],
    ['<td{{#if x}} class="x"{{else}} id="y"{{/if}}>{{x}}</td>', '<td class="x">&lt;b&gt;&quot;</td>'],
    ['<input {{#if x}}checked{{/if}} value="{{x}}">', '<input checked value="&lt;b&gt;&quot;">'],
    ['<p class="a{{#if x}} b{{/if}}{{#each list}} {{this}}{{/each}}">', '<p class="a b">'],
    [
      '<script>{{#if x}}track(){{/if}}</script><style>a{}{{! note }}</style>{{x}}',
      '<script>track()</script><style>a{}</style>&lt;b&gt;&quot;',
    ],
    ['{{#if x}}<a href="/x">{{/if}}{{x}}{{#if x}}</a>{{/if}}', '<a href="/x">&lt;b&gt;&quot;</a>'],
    [
      '<a href="/a?b={{x}}" title="a > b">{{x}}</a>',
      '<a href="/a?b=&lt;b&gt;&quot;" title="a > b">&lt;b&gt;&quot;</a>',
    ],
    ['<br/><img alt="" / >{{x}}', '<br/><img alt="" / >&lt;b&gt;&quot;'],
    [
      '<xmp>{{x}}</xmp><noscript>{{x}}</noscript>',
      '<xmp>&lt;b&gt;&quot;</xmp><noscript>&lt;b&gt;&quot;</noscript>',
    ],
  ])('%s', (source, expected) => {
    expect(html(source, { x: '<b>"' })).toBe(expected);
  });

  it('and static scripts, event handlers and frames are unchanged', () => {
    const source =
      '<script>a("</p>")</script><p onclick="b()"><iframe src="https://a.b"></iframe><a href="javascript:c()">';
    expect(html(source)).toBe(source);
  });
});

describe('html from the data', () => {
  const schema = {
    properties: {
      body: { type: 'string', format: 'html' },
      posts: { type: 'array', items: { type: 'object', properties: { text: { format: 'html' } } } },
    },
  };

  it.each([
    ['{{{body}}}', []],
    ['{{&body}} {{{default body ""}}} {{{@root.body}}}', []],
    ['{{#each posts}}{{{text}}}{{/each}}{{#each posts as |post|}}{{{post.text}}}{{{../body}}}{{/each}}', []],
    ['{{#*inline "a"}}{{{text}}}{{/inline}}{{#each posts}}{{> a}}{{/each}}', []],
    ['{{{other}}}', ['unsafe_context.raw html 1:1']],
    [
      '{{{upper body}}} {{{lookup posts 0}}}',
      ['unsafe_context.raw html 1:1', 'unsafe_context.raw html 1:18'],
    ],
    ['{{#each posts}}{{{body}}}{{/each}}', ['unsafe_context.raw html 1:16']],
    ['{{#with (lookup posts 0)}}{{{text}}}{{/with}}', ['unsafe_context.raw html 1:27']],
    ['{{#*inline "a"}}{{{text}}}{{/inline}}{{> a}}', ['unsafe_context.raw html 1:17']],
    ['<p title="{{{body}}}">', ['unsafe_context.raw_place html 1:11']],
    [
      '<!-- {{{body}}} --><title>{{{body}}}</title>',
      ['unsafe_context.raw_place html 1:6', 'unsafe_context.raw_place html 1:27'],
    ],
  ])('%s stands between elements and is declared as html', (source, problems) => {
    expect(problemsOf({ html: source, schema })).toEqual(problems);
  });

  it.each([
    ['<b>a</b> & <i>c</i>', '<b>a</b> &amp; <i>c</i>'],
    ['<p style="color:red;position:fixed" onclick="x()" class="y">a</p>', '<p style="color:red">a</p>'],
    ['<script>x()</script><style>*{}</style><svg onload=x()></svg>ok', 'ok'],
    ['<a href="javascript:x()">a</a><a href="https://a.b">b</a>', '<a>a</a><a href="https://a.b">b</a>'],
    [
      '<img src=x onerror=x()><img src="data:image/png;base64,AA">',
      '<img src="x" /><img src="data:image/png;base64,AA" />',
    ],
    ['<p style="background:url(//x)">a', '<p>a</p>'],
    ['<iframe src="https://a.b"></iframe><form action="/x"><input></form>--><!-- a -->', '--&gt;'],
    [12, '12'],
    [null, ''],
    [{ toString: 1 }, '[object Object]'],
  ])('%j keeps only what is harmless', (body, expected) => {
    expect(html(prepared({ html: '{{{body}}}', schema }), { body })).toBe(expected);
  });

  it('is left out whole, with a warning, when it is longer than the sanitizer gets time for', () => {
    const { html: page, warnings } = output(prepared({ html: '<p>{{{body}}}</p>', schema }), {
      body: 'a'.repeat(100_001),
    });
    expect(page).toBe('<p></p>');
    expect(warnings).toEqual([{ key: 'html_too_long', params: { variable: 'body', limit: 100_000 } }]);
  });
});

describe('css', () => {
  it('is written into the head, the layout before the partials before the template, each text once', () => {
    const layout = prepared({ kind: 'layout', html: '<HEAD></HEAD>{{> @partial-block}}', css: 'a{}' });
    const partial = prepared({ kind: 'partial', html: 'P', css: 'b{}' });
    const program = prepared({ html: '{{> p}}', css: 'c{}' });
    expect(html(program, {}, { layout, partials: { p: partial, q: partial } })).toBe(
      '<HEAD><style>\na{}\nb{}\nc{}\n</style>\n</HEAD>P',
    );
  });

  it('comes first where there is no head', () => {
    expect(html(prepared({ html: '<p>', css: 'a{}' }))).toBe('<style>\na{}\n</style>\n<p>');
  });
});

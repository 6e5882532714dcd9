import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { html, problemsOf } from './prepared.ts';

const NAMES = [
  'constructor',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'hasOwnProperty',
  'valueOf',
  'toString',
  'isPrototypeOf',
  'toLocaleString',
];

describe('what a value inherits is no data', () => {
  it.each(NAMES)('%s', (name) => {
    const data = { object: {}, list: [1], text: 'a', number: 1, name };
    const paths = ['object', 'list', 'text', 'number'].flatMap((from) => [
      `{{${from}.${name}}}`,
      `{{lookup ${from} name}}`,
      `{{lookup ${from} "${name}"}}`,
      `{{#with ${from}}}{{${name}}}{{lookup . ../name}}{{/with}}`,
    ]);
    expect(
      html(
        `[${paths.join('')}{{${name}}}{{@root.${name}}}{{#if object.${name}}}x{{/if}}{{#each object.${name}}}x{{/each}}]`,
        data,
      ),
    ).toBe('[]');
  });

  it('through any chain of names', () => {
    const source =
      '[{{object.constructor.constructor}}{{object.__proto__.constructor}}{{#with object.constructor}}{{name}}{{/with}}{{lookup (lookup object "constructor") "name"}}{{list.map}}{{text.sub}}{{list.constructor.from}}]';
    expect(html(source, { object: {}, list: [], text: 'a' })).toBe('[]');
  });
});

describe('a field of that name is data', () => {
  it.each(NAMES)('%s', (name) => {
    const data: JsonObject = JSON.parse(`{"object": {"${name}": "<own>"}, "${name}": "root"}`);
    expect(
      html(
        `{{object.${name}}} {{lookup object "${name}"}} {{${name}}} {{#with object}}{{${name}}}{{/with}}`,
        data,
      ),
    ).toBe('&lt;own&gt; &lt;own&gt; root &lt;own&gt;');
  });

  it.each(['toString', 'valueOf', 'toHTML', 'length', 'constructor', '__proto__', 'then', 'toJSON', 'call'])(
    '%s harms nothing that is printed, looped over or compared',
    (name) => {
      const data: JsonObject = JSON.parse(
        `{"x": {"${name}": {"${name}": 1}}, "list": [{"${name}": 2}, [{"${name}": 3}]]}`,
      );
      const source =
        '{{x}}|{{list}}|{{upper x}}|{{join list "-"}}|{{eq x list}}{{lt x 1}}|{{lookup list x}}|{{#each list}}{{../x}}{{#with ../x}}{{../this}}{{/with}}{{/each}}|<a href="{{x}}">|{{formatDate x x}}{{currency x x}}{{truncate x x}}{{t x}}{{pluralize x x x}}{{encodeURIComponent x}}{{default x x}}{{not x}}{{#x}}{{.}}{{/x}}';
      expect(html(source, data)).toBe(
        '[object Object]|[object Object],[object Object]|[OBJECT OBJECT]|[object Object]-[object Object]|falsefalse||[object Object][object Object][object Object][object Object]|<a href="[object Object]">|[object Object]%5Bobject%20Object%5D[object Object]false[object Object]',
      );
    },
  );

  it('is named in a fault where Handlebars itself compares such an object with a text', () => {
    const data: JsonObject = JSON.parse('{"texts": ["a"], "x": {"toString": 1}}');
    expect(() => html('{{#each texts}}{{#with @root.x}}{{../this}}{{/with}}{{/each}}', data)).toThrow(
      'template_invalid.value',
    );
  });
});

describe('what is no data cannot be reached', () => {
  it.each([
    '{{@partial-block}}',
    '{{@partial-block.constructor}}',
    '{{#each @partial-block}}{{/each}}',
    '{{lookup @partial-block "constructor"}}',
    '{{@_parent.partial-block}}',
    '{{upper @../_parent}}',
    '{{> a x=@constructor}}',
    '{{#with @__proto__}}{{/with}}',
  ])('%s', (source) => {
    expect(problemsOf({ kind: 'partial', html: source }).map((problem) => problem.split(' ')[0])).toEqual([
      'template_invalid.data_name',
    ]);
  });

  it.each([
    '{{blockHelperMissing}}',
    '{{helperMissing}}',
    '{{#blockHelperMissing}}x{{/blockHelperMissing}}',
    '{{[@url]}}',
    '{{log}}',
  ])('%s is only a name', (source) => {
    expect(html(`[${source}]`)).toBe('[]');
  });

  it.each([
    '{{helperMissing 1}}',
    '{{#blockHelperMissing a}}{{/blockHelperMissing}}',
    '{{log "x"}}',
    '{{[@url] x "y"}}',
    '{{[@html] x}}',
    '{{@upper x}}',
    '{{upper.x y}}',
    '{{this.upper x}}',
    '{{../upper x}}',
  ])('%s is refused', (source) => {
    expect(problemsOf(source)).toEqual([
      expect.stringMatching(/^template_invalid\.(?:helper_unknown|helper_mistyped|data_name) html 1:/),
    ]);
  });

  it.each([
    '{{> @layout}}',
    '{{> (lookup a b)}}',
    '{{* inline "x"}}',
    '{{#* other "x"}}{{/other}}',
    '{{#* inline name}}{{/inline}}',
    '{{#* inline "a" "b"}}{{/inline}}',
  ])('%s is refused', (source) => {
    expect(problemsOf(source)).toEqual([
      expect.stringMatching(/^template_invalid\.(?:partial_dynamic|decorator) html 1:1$/),
    ]);
  });
});

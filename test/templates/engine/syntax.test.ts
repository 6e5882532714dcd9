import { describe, expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { Fault } from '../../../src/errors.ts';
import { localizeFault, plainReader } from '../../../src/language.ts';
import { compile } from '../../../src/templates/engine/compile.ts';
import { problemsOf } from './prepared.ts';

/** Where and why, without the words that every sentence begins with. */
function reasonOf(html: string): string {
  const compiled = compile({ kind: 'template', html });
  if (!('problems' in compiled)) return 'none';
  const [{ key, params }] = compiled.problems;
  const { detail } = localizeFault(new Fault(key, params), plainReader('en'));
  return detail.replace(/^The html field has a syntax error at line (\d+), column (\d+): /, '$1:$2 ');
}

describe('a source that does not parse is told where and why', () => {
  it.each([
    ['a\n  {{#if b}}\n c', '2:3 "{{#if" is never closed.'],
    ['{{#each a}}{{#if b}}{{/if}}', '1:1 "{{#each" is never closed.'],
    ['{{#> p}}', '1:1 "{{#>p" is never closed.'],
    ['a {{#', '1:3 "{{#" is never closed.'],
    ['{{^a}}', '1:1 "{{^a" is never closed.'],
    ['{{#if a}}\n{{/each}}', '1:4 the block "if" is closed by "each".'],
    ['a {{b', '1:5 this expression is never closed.'],
    ['a {{', '1:5 the text ends inside an expression.'],
    ['x\n{{a b=}}', '2:7 "}}" is not expected here.'],
    ['{{a}', '1:4 this expression is never closed.'],
    ['{{a} }}', '1:4 "}" is not expected here.'],
    ['{{{a}}', '1:5 "}}" is not expected here.'],
    ['{{/if}}', '1:1 "{{/" is not expected here.'],
    ['{{else}}', '1:1 "{{else}}" is not expected here.'],
    ['{{ # }}', '1:4 "#" is not expected here.'],
    ['{{a "x}}', '1:5 """ is not expected here.'],
    ['{{a "x', '1:5 this expression is never closed.'],
    ['{{a/../b}}', '1:3 Invalid path: a/..'],
    ['a\u0000b', '1:2 this character is not allowed here.'],
  ])('%j: %s', (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });

  it('in every field at once', () => {
    expect(
      problemsOf({
        html: '{{',
        subject: '{{#a}}',
        preheader: '{{foo 1}}',
        text: 'ok',
        schema: { type: 'string' },
      }),
    ).toEqual([
      'template_invalid.text_ends html 1:3',
      'template_invalid.block_open subject 1:1',
      'template_invalid.helper_unknown preheader 1:1',
      'template_invalid.schema_root schema',
    ]);
  });
});

describe('what a source calls must be there', () => {
  it.each([
    ['{{foo bar}}', 'helper_unknown'],
    ['{{#foo bar}}{{/foo}}', 'helper_unknown'],
    ['{{uper name}}', 'helper_mistyped upper'],
    ['{{#equals a b}}{{/equals}}', 'helper_mistyped eq'],
    ['{{upper (foormatDate a)}}', 'helper_mistyped formatDate'],
    ['{{> p x=(upcase a)}}', 'helper_unknown'],
    ['{{#each a as |upper|}}{{upper b}}{{/each}}', 'helper_mistyped upper'],
    ['{{if a}}', 'helper_only_block'],
    ['{{upper (each a)}}', 'helper_only_block'],
    ['{{#upper a}}{{/upper}}', 'helper_no_block'],
    ['{{#if}}{{/if}}', 'helper_arguments'],
    ['{{#if a b}}{{/if}}', 'helper_arguments'],
    ['{{#each}}{{/each}}', 'helper_arguments'],
    ['{{lookup a}}', 'helper_arguments'],
    ['{{upper (lower)}}', 'helper_arguments'],
    ['{{> p a b}}', 'partial_arguments'],
  ])('%s', (source, expected) => {
    const compiled = compile({ kind: 'template', html: source });
    const problems = 'problems' in compiled ? compiled.problems : [];
    expect(
      problems.map(({ key, params }) => `${key}${params['suggestion'] ? ` ${params['suggestion']}` : ''}`),
    ).toEqual([`template_invalid.${expected}`]);
  });

  it('and every sentence about it has all it needs', () => {
    const compiled = compile({
      kind: 'template',
      html: '{{foo 1}}{{uper 1}}{{if a}}{{#upper a}}{{/upper}}{{#if}}{{/if}}{{@a}}{{> (a)}}{{> p a b}}<p {{x}}><p title={{x}}><p onclick="{{x}}">{{{x}}}',
    });
    const problems = 'problems' in compiled ? compiled.problems : [];
    expect(problems.length).toBeGreaterThan(10);
    for (const { key, params } of problems) {
      const needed = [...en.faults[key].matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params)).toEqual(expect.arrayContaining(needed));
    }
  });
});

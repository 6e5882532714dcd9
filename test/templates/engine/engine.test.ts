import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { createEngine, type Source } from '../../../src/templates/engine/engine.ts';
import { samples } from '../../support/samples.ts';

// Its limit of time is not what is tested here.
const engine = createEngine({ timeLimitFactor: 30 });
afterAll(() => engine.close());

async function faultOf(source: Source): Promise<Fault> {
  const fault: unknown = await engine.prepare(source).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Fault);
  return fault as Fault;
}

describe('an engine', () => {
  it('prepares a source once and renders it any number of times', async () => {
    const program = await engine.prepare({
      kind: 'template',
      html: '<p>{{name}}{{> foot}}</p>',
      subject: 'For {{name}}',
    });
    const foot = await engine.prepare({ kind: 'partial', html: ' {{formatDate day "long"}}' });
    const partials = new Map([['foot', foot]]);
    expect(engine.variablesOf({ program, partials }).map(({ name }) => name)).toEqual(['name', 'day']);
    const render = (name: string, locale: string) =>
      engine.render(program, { name, day: '2026-03-01' }, { partials, locale });
    expect(render('Ana', 'en')).toMatchObject({ html: '<p>Ana March 1, 2026</p>', subject: 'For Ana' });
    expect(render('<b>', 'es')).toMatchObject({
      html: '<p>&lt;b&gt; 1 de marzo de 2026</p>',
      subject: 'For <b>',
    });
  });

  it('loads the sanitizer for the sources that need it', async () => {
    const schema = { properties: { body: { format: 'html' } } };
    const program = await engine.prepare({ kind: 'template', html: '{{{body}}}', schema });
    expect(
      engine.render(program, { body: '<b onclick="x()">a</b><script>b</script>' }, { partials: new Map() })
        .html,
    ).toBe('<b>a</b>');
  });

  it('tells every problem of a source at once, with its place', async () => {
    const fault = await faultOf({
      kind: 'template',
      html: '{{foo 1}}\n<script>{{x}}</script>',
      subject: '{{#if}}',
    });
    expect(fault).toMatchObject({ code: 'template_invalid', status: 422 });
    expect(fault.errors).toMatchObject([
      { key: 'template_invalid.helper_unknown', loc: ['body', 'html'], line: 1, col: 1 },
      { key: 'unsafe_context.script', loc: ['body', 'html'], line: 2, col: 9 },
      { key: 'template_invalid.block_open', loc: ['body', 'subject'], line: 1, col: 1 },
    ]);
    expect(await faultOf({ kind: 'template', html: '<p {{x}}>' })).toMatchObject({ code: 'unsafe_context' });
  });

  it.each([
    [
      'a tree of nodes, which is code to Handlebars',
      { html: { type: 'Program', body: [] } },
      'template_invalid.not_text',
    ],
    ['no html', {}, 'template_invalid.not_text'],
    ['a list', { html: ['a'] }, 'template_invalid.not_text'],
    ['a number as its subject', { html: '', subject: 1 }, 'template_invalid.not_text'],
    ['more than 256 KiB', { html: 'é'.repeat(131_073) }, 'template_too_complex.size'],
    [
      'more than 5,000 mustaches',
      { html: '', text: '{{a}}'.repeat(5_001) },
      'template_too_complex.mustaches',
    ],
    ['a variable in its css', { html: '', css: 'a {}\nb { color: {{c}} }' }, 'unsafe_context.css'],
    ['css that leaves its element', { html: '', css: 'a{}</STYLE ><script>' }, 'unsafe_context.css_end'],
  ])('refuses %s', async (_what, source, key) => {
    // The types forbid some of these; callers in JavaScript, and JSON, do not.
    expect((await faultOf({ kind: 'template', ...source } as Source)).key).toBe(key);
  });

  it('compiles as much as it allows', async () => {
    const source = { kind: 'template' as const, html: '{{abcde}}'.repeat(5_000), text: 'x'.repeat(262_144) };
    const program = await engine.prepare(source);
    expect(engine.render(program, { abcde: 'y' }, { partials: new Map() }).html).toBe('y'.repeat(5_000));
  });

  it('answers any text at all with a program or a fault', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '{{',
        '}}',
        '{{{',
        '}}}',
        '{{#',
        '{{/',
        '{{else}}',
        '{{^',
        '{{>',
        '{{#>',
        '{{!--',
        '--}}',
        '{{~',
        '~}}',
        '{{{{',
        '}}}}',
        '{{&',
        '{{*',
        '{{#*inline "a"}}',
        '{{/inline}}',
        'if',
        'each',
        'a',
        ' as |b|',
        '../',
        '@',
        '.',
        '[',
        ']',
        '(',
        ')',
        '=',
        '"',
        '\\',
        '<script>',
        '<p ',
        '>',
        '\u0000',
      ),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom('template', 'layout', 'partial'),
        fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
        async (html, subject, kind, schema) => {
          try {
            const program = await engine.prepare({ kind, html, subject, schema });
            engine.render(program, { a: [{}, 1], if: 'x' }, { partials: new Map() });
          } catch (error) {
            expect(error).toBeInstanceOf(Fault);
          }
        },
      ),
      { numRuns: samples(400) },
    );
  });

  it('can be closed before its first source, and twice', async () => {
    const unused = createEngine();
    await unused.close();
    await unused.close();
  });
});

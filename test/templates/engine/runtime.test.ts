import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/templates/engine/compile.ts';
import { createTemplate, isSupported, meter } from '../../../src/templates/engine/render/runtime.ts';
import { html } from './prepared.ts';

/** The code of a template, which is where the engine holds on to Handlebars. */
function codeOf(source: string): string {
  const compiled = compile({ kind: 'partial', html: source });
  if ('problems' in compiled) throw new Error('the source does not compile');
  return compiled.code.html ?? '';
}

describe('the two functions of Handlebars that the engine counts through', () => {
  it('are still the ones that print values and partials', () => {
    const code = codeOf('{{a}}{{> p}}');
    expect(code).toContain('container.escapeExpression(');
    expect(code).toContain('container.invokePartial(');
  });

  it('are really replaced: values are counted as they are printed, and partials as they are entered', () => {
    const template = createTemplate(codeOf('{{a}}{{> p}}'), 'html');
    meter.start({ steps: 10, bytes: 100, ms: 1_000, partialLevels: 1 }, 'en', 0);
    let inside = -1;
    const partials = {
      p: () => {
        inside = meter.size;
        expect(() => meter.enterPartial()).toThrow('render_limit.depth');
        return '';
      },
    };
    template({ a: '<b>' }, { partials });
    meter.stop();
    expect(inside).toBe('&lt;b&gt;'.length);
  });

  it('belong to one template alone, so that nothing shared is changed', () => {
    html('{{a}}', { a: '<' });
    expect(Handlebars.compile('{{a}}')({ a: '`' })).toBe('&#x60;');
    expect(Handlebars.create().escapeExpression('<')).toBe('&lt;');
  });

  it('stand in functions that are numbered or called main', () => {
    const code = codeOf('{{#if a}}{{#each b}}c{{/each}}{{else}}d{{/if}}{{#*inline "e"}}f{{/inline}}');
    const parts: Record<string, unknown> = new Function(`return (${code})`)();
    const functions = Object.keys(parts).filter((key) => typeof parts[key] === 'function');
    expect(functions).toEqual(['0', '1', '2', '3', 'main', 'main_d']);
  });
});

it.each([
  ['4.7.9', false],
  ['4.6.12', false],
  ['3.9.99', false],
  ['4.7.10', true],
  ['4.7.11', true],
  ['4.8.0', true],
  ['5.0.0', true],
])('Handlebars %s is supported: %s', (version, supported) => {
  expect(isSupported(version)).toBe(supported);
  expect(isSupported(Handlebars.VERSION)).toBe(true);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffTokens } from '../../../src/templates/diff/diff-text.ts';
import { tokenize } from '../../../src/templates/diff/tokenize.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { samples } from '../../support/samples.ts';
import { templateText } from './template-text.ts';

describe('tokenize', () => {
  test.each([
    ['a mustache', '{{user.name}}!', ['mustache {{user.name}}', 'other !']],
    ['a triple mustache', '{{{html}}}.', ['mustache {{{html}}}', 'other .']],
    ['a comment with a mustache in it', '{{!-- a {{b}} c --}}d', ['mustache {{!-- a {{b}} c --}}', 'word d']],
    [
      'a comment that strips white space',
      '{{~!-- a --~}} d',
      ['mustache {{~!-- a --~}}', 'space  ', 'word d'],
    ],
    [
      'a raw block by its ends',
      '{{{{raw}}}}x{{{{/raw}}}}',
      ['mustache {{{{raw}}}}', 'word x', 'mustache {{{{/raw}}}}'],
    ],
    ['a tag whole', '<td class="a b">x</td>', ['tag <td class="a b">', 'word x', 'tag </td>']],
    [
      'a tag with mustaches',
      '<p {{#if (gt a 1)}}>{{/if}}>',
      ['tag <p {{#if (gt a 1)}}>', 'mustache {{/if}}', 'other >'],
    ],
    ['a doctype', '<!DOCTYPE html>', ['tag <!DOCTYPE html>']],
    ['an html comment', '<!--[if mso]><b><![endif]-->', ['comment <!--[if mso]><b><![endif]-->']],
    [
      'words, spaces and signs',
      'Año 2,5 €\n',
      ['word Año', 'space  ', 'word 2', 'other ,', 'word 5', 'space  ', 'other €', 'space \n'],
    ],
    ['a sign beyond the basic plane', '🎁!', ['other 🎁', 'other !']],
    ['what only begins like a mustache', '{{name', ['other {', 'other {', 'word name']],
    [
      'what only begins like a tag',
      '1 <b 2 <c',
      ['word 1', 'space  ', 'other <', 'word b', 'space  ', 'word 2', 'space  ', 'other <', 'word c'],
    ],
  ])('cuts %s', (_, source, tokens) => {
    expect(tokenize(source).map(({ kind, text }) => `${kind} ${text}`)).toEqual(tokens);
  });

  test('loses nothing of any text', () => {
    fc.assert(
      fc.property(fc.oneof(templateText, fc.string({ unit: 'binary', maxLength: 200 })), (source) => {
        expect(joined(tokenize(source))).toBe(source);
      }),
      { numRuns: samples(1000), seed: 6 },
    );
  });

  test.each([
    '{{',
    '{{{',
    '{{{{',
    '{{!--',
    '{{!-- --',
    '{{~!--',
    '<!--',
    '<!',
    '<a ',
    '<a "',
    '<a {{',
    '<a {{x}}',
    '<a{{<!--',
  ])('cuts 256 KB of %s in linear time', (opener) => {
    const source = opener.repeat(262_144 / opener.length);
    expect(cpuMs(() => expect(joined(tokenize(source))).toBe(source))).toBeLessThan(1_000);
  });
});

describe('diffTokens', () => {
  test('shows a change inside a line, and tags and mustaches whole', () => {
    const from = '<p class="a">Hello {{name}}, welcome</p>';
    const to = '<p class="b">Hello {{first_name}}, welcome</p>';
    expect(diffTokens(from, to)).toEqual([
      { op: 'removed', text: '<p class="a">' },
      { op: 'added', text: '<p class="b">' },
      { op: 'equal', text: 'Hello ' },
      { op: 'removed', text: '{{name}}' },
      { op: 'added', text: '{{first_name}}' },
      { op: 'equal', text: ', welcome</p>' },
    ]);
  });

  test('is one equal stretch for equal texts and nothing for empty ones', () => {
    expect(diffTokens('a b', 'a b')).toEqual([{ op: 'equal', text: 'a b' }]);
    expect(diffTokens('', '')).toEqual([]);
  });

  test('gives both texts back from what stayed with what went or came', () => {
    fc.assert(
      fc.property(templateText, templateText, (from, to) => {
        const edits = diffTokens(from, to);
        expect(joined(edits.filter(({ op }) => op !== 'added'))).toBe(from);
        expect(joined(edits.filter(({ op }) => op !== 'removed'))).toBe(to);
      }),
      { numRuns: samples(1000), seed: 7 },
    );
  });

  test('ends on two mails of 6,000 words each that have nothing but words in common', () => {
    const mail = (step: number) =>
      Array.from({ length: 6_000 }, (_, at) => `w${(at * at * step) % 401}`).join(' ');
    expect(cpuMs(() => expect(diffTokens(mail(3), mail(5)).length).toBeGreaterThan(1))).toBeLessThan(1_000);
  });
});

function joined(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join('');
}

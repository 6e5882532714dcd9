import fc from 'fast-check';

const TOKENS = [
  ...[
    '<table>',
    '<tr>',
    '<td style="color: red">',
    '</td>',
    '</tr>',
    '</table>',
    '<p {{#if a}}class="b"{{/if}}>',
    '</p>',
  ],
  ...[
    '{{name}}',
    '{{{html}}}',
    '{{#each items}}',
    '{{/each}}',
    '{{!-- a }} b --}}',
    '{{{{raw}}}}',
    '{{{{/raw}}}}',
  ],
  ...['<!-- note -->', 'Hello', 'world', 'año', '19', '.', ',', '€', '🎁', ' ', ' ', '\n', '\n', '\r\n'],
  ...['{{', '}}', '<', '>', '"', '<!--', '-->', '{{!--'],
];

/** Template source: mostly what templates are made of, now and then a piece of it alone. */
export const templateText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 60, size: 'max' })
  .map((tokens) => tokens.join(''));

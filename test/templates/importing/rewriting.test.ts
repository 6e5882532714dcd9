import { expect, test } from 'vitest';
import { applyEdits, type Dialect, rewrite } from '../../../src/templates/importing/rewriting/rewriting.ts';
import {
  sendgridDialect,
  sendgridLegacyDialect,
} from '../../../src/templates/importing/rewriting/sendgrid-dialect.ts';
import { mailgunDialect } from '../../../src/templates/importing/sources/read-mailgun.ts';
import { postmarkDialect } from '../../../src/templates/importing/sources/read-postmark.ts';

type Case = readonly [written: string, ours: string, notes: readonly string[]];

const sendgrid: readonly Case[] = [
  ['Hi {{insert name "default=Customer"}}', 'Hi {{default name "Customer"}}', ['import_helper 1:6']],
  ["{{insert a.b 'my shop'}}", '{{default a.b "my shop"}}', ['import_helper 1:3']],
  [`{{insert a 'default=say "x"'}}`, `{{default a 'say "x"'}}`, ['import_helper 1:3']],
  ['{{#equals a b}}1{{else}}2{{/equals}}', '{{#eq a b}}1{{else}}2{{/eq}}', ['import_helper 1:4']],
  [
    '{{#greaterThan score 9}}A{{else greaterThan score 5}}B{{/greaterThan}}',
    '{{#gt score 9}}A{{else gt score 5}}B{{/gt}}',
    ['import_helper 1:4'],
  ],
  [
    '{{#if (notEquals a (lessThan b 2))}}x{{/if}}',
    '{{#if (ne a (lt b 2))}}x{{/if}}',
    ['import_helper 1:8', 'import_helper 1:21'],
  ],
  ['{{#equals a b}}x{{/equals}}equals', '{{#eq a b}}x{{/eq}}equals', ['import_helper 1:4']],
  ['{{#and a b}}x{{/and}}{{#or a b}}y{{/or}}', '{{#and a b}}x{{/and}}{{#or a b}}y{{/or}}', []],
  [
    '{{#greaterThan (length items) 2}}x{{/greaterThan}}',
    '{{#gt items.length 2}}x{{/gt}}',
    ['import_helper 1:4', 'import_helper 1:16'],
  ],
  ['{{length a.items}} items', '{{a.items.length}} items', ['import_helper 1:1']],
  [
    '{{formatDate at "MMMM D, YYYY"}}',
    '{{formatDate at month="long" day="numeric" year="numeric"}}',
    ['import_date_format 1:1'],
  ],
  [
    '{{formatDate at "MM/DD/YYYY h:mm A" "-0800"}}',
    '{{formatDate at month="2-digit" day="2-digit" year="numeric" hour="numeric" hour12=true minute="2-digit" timeZone="-08:00"}}',
    ['import_date_format 1:1'],
  ],
  [
    '{{formatDate at dateFormat zone}}',
    '{{formatDate at "medium" timeZone=zone}}',
    ['import_date_unknown 1:1'],
  ],
  ['<a href="{{{unsubscribe}}}">x</a>', '<a href="{{unsubscribe_url}}">x</a>', ['import_variable 1:10']],
  [
    '{{weblink}} <%asm_group_unsubscribe_raw_url%>',
    '{{weblink_url}} {{unsubscribe_url}}',
    ['import_variable 1:1', 'import_variable 1:13'],
  ],
  [
    '{{#each cart}}{{this.name}} {{@root.shop}}{{/each}}',
    '{{#each cart}}{{this.name}} {{@root.shop}}{{/each}}',
    [],
  ],
  ['{{insert}} {{equals}}', '{{insert}} {{equals}}', []],
  ['{{#equals a', '{{#equals a', []],
];

const legacy: readonly Case[] = [
  ['Hi -name-, <%body%>', 'Hi {{name}}, {{{body}}}', ['import_variable 1:4', 'import_variable 1:12']],
  [
    '<p style="display:-webkit-box">a -b c- d-e-f</p>',
    '<p style="display:-webkit-box">a -b c- d-e-f</p>',
    [],
  ],
  [
    '<a href="[unsubscribe]">-x_1-</a>',
    '<a href="{{unsubscribe_url}}">{{x_1}}</a>',
    ['import_variable 1:10', 'import_variable 1:25'],
  ],
];

const postmark: readonly Case[] = [
  ['{{#each names}}{{.}}{{/each}}', '{{#each names}}{{this}}{{/each}}', []],
  ['{{#each rows}}{{{.}}}{{&.}}{{/each}}', '{{#each rows}}{{{this}}}{{{this}}}{{/each}}', []],
  ['<body>{{{ @content }}}</body>', '<body>{{> @partial-block}}</body>', ['import_variable 1:7']],
  ['{{#company}}{{name}}{{/company}}', '{{#company}}{{name}}{{/company}}', ['import_section 1:1']],
  ['{{^company}}none{{/company}}', '{{^company}}none{{/company}}', []],
  [
    '<a href="{{{pm:unsubscribe_url}}}">x</a>',
    '<a href="{{unsubscribe_url}}">x</a>',
    ['import_variable 1:10'],
  ],
  ['{{{ pm:unsubscribe }}}', '<a href="{{unsubscribe_url}}">Unsubscribe</a>', ['import_variable 1:1']],
];

const mailgun: readonly Case[] = [
  [
    'Hi %recipient.first-name%, %recipient_email%',
    'Hi {{recipient.first-name}}, {{recipient_email}}',
    ['import_variable 1:4', 'import_variable 1:28'],
  ],
  [
    '%unsubscribe_url% %mailing_list_unsubscribe_url% %v:order%',
    '{{unsubscribe_url}} {{mailing_list_unsubscribe_url}} {{order}}',
    ['import_variable 1:1', 'import_variable 1:19', 'import_variable 1:50'],
  ],
  [
    '{{#equal plan "pro"}}x{{/equal}} 100% sure',
    '{{#eq plan "pro"}}x{{/eq}} 100% sure',
    ['import_helper 1:4'],
  ],
];

const all: readonly (readonly [string, Dialect, readonly Case[]])[] = [
  ['SendGrid', sendgridDialect, sendgrid],
  ['SendGrid legacy', sendgridLegacyDialect, legacy],
  ['Postmark', postmarkDialect, postmark],
  ['Mailgun', mailgunDialect, mailgun],
];

for (const [service, dialect, cases] of all) {
  test.each(cases)(`${service}: %s`, (written, ours, notes) => {
    const { text, notes: made } = rewrite(written, 'html', dialect);
    expect({ text, notes: made.map(({ key, line, col }) => `${key} ${line}:${col}`) }).toEqual({
      text: ours,
      notes,
    });
  });
}

test('a change is noted once, at its first place', () => {
  const { notes } = rewrite(
    'a\n{{#equals a b}}{{/equals}}\n{{#equals a c}}{{/equals}}',
    'html',
    sendgridDialect,
  );
  expect(notes).toEqual([{ key: 'import_helper', params: { from: 'equals', to: 'eq' }, line: 2, col: 4 }]);
});

test('a link of Postmark is an address in a text part', () => {
  expect(rewrite('{{{pm:unsubscribe}}}', 'text', postmarkDialect).text).toBe('{{unsubscribe_url}}');
});

test('a place after rewriting leads back to the place before, on every line', () => {
  const { text, placeBefore } = applyEdits('ab\r\ncd ef\n', [
    { start: 0, end: 1, text: 'xyz' },
    { start: 4, end: 6, text: '' },
  ]);
  expect(text).toBe('xyzb\r\n ef\n');
  expect(placeBefore({ line: 1, col: 4 })).toEqual({ line: 1, col: 2 });
  expect(placeBefore({ line: 1, col: 3 })).toEqual({ line: 1, col: 1 });
  expect(placeBefore({ line: 2, col: 2 })).toEqual({ line: 2, col: 4 });
});

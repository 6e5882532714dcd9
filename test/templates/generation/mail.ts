import type { EmailDraft } from '../../../src/templates/generation/draft.ts';

const HTML = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{@subject}}</title>
</head>
<body>
<div style="display:none">{{@preheader}}</div>
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0">
<tr>
<td style="font-family:Arial,sans-serif;font-size:16px;line-height:24px">
<h1>Welcome, {{first_name}}</h1>
<ul>{{#each items}}<li>{{name}}: {{currency price "EUR"}}</li>{{/each}}</ul>
<p><a href="{{setup_url}}">Set up your account</a></p>
</td>
</tr>
</table>
</body>
</html>
`;

/** A mail that passes every check, as a model would write it. */
export const GOOD: EmailDraft = {
  subject: 'Welcome, {{first_name}}',
  preheader: 'Your account is ready.',
  html: HTML,
  css: '@media (max-width: 599px) { table { width: 100% !important; } }',
  text: 'Welcome, {{first_name}}\n\nSet up your account: {{setup_url}}\n',
  variables: [
    { name: 'first_name', type: 'string', required: true, example: 'Ana', description: 'Given name' },
    {
      name: 'items',
      type: 'array',
      required: false,
      example: '[{"name":"Pot","price":12.5},{"name":"Fern"}]',
      description: 'What was bought',
    },
    { name: 'items[].price', type: 'number', required: true, example: '9', description: 'Price' },
    {
      name: 'setup_url',
      type: 'string',
      required: true,
      example: 'https://example.com/setup',
      description: 'Where to begin',
    },
  ],
};

/** The good mail with another html. */
export function withHtml(change: (html: string) => string): EmailDraft {
  return { ...GOOD, html: change(GOOD.html) };
}

/** What the model sends. */
export function answer(mail: unknown) {
  return { text: JSON.stringify(mail) };
}

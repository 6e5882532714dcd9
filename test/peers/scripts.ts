import { readStarters } from '../../src/templates/starters/starters.ts';
import type { ModelAnswer } from './model-answer.ts';

const WELCOME = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{@subject}}</title>
</head>
<body>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">{{@preheader}}</div>
<table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0">
<tr>
<td style="padding:24px;font-family:Arial,sans-serif;font-size:16px;line-height:24px;color:#14201a;">
<h1 style="margin:0 0 16px;font-size:28px;line-height:34px;color:#12543f;">Welcome, {{first_name}}</h1>
<p style="margin:0 0 24px;">Your account at Fern &amp; Clay is ready. Set it up in a minute.</p>
<a href="{{setup_url}}" style="color:#12543f;">Set up your account</a>
</td>
</tr>
</table>
</body>
</html>
`;

/** What a model answers to the examples of the tools that ask one; undefined for every other tool. */
export async function exampleAnswer(
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Promise<ModelAnswer | undefined> {
  if (input['provider'] === 'builtin') return undefined;
  switch (tool) {
    case 'generate_hooks':
      return { text: JSON.stringify(leaseHooks) };
    case 'generate_template':
      return { text: JSON.stringify(welcomeMail) };
    case 'edit_template':
      return { text: JSON.stringify(await friendlierWelcome()) };
    default:
      return undefined;
  }
}

const leaseHooks = {
  hooks: [
    ['Line 14 of your lease decides who pays.', 'curiosity'],
    ['Which page of your lease did you skip?', 'question'],
    ['Read your lease before the 1st, not after.', 'urgency'],
  ].map(([text, style]) => ({ text, style, why: 'It leaves a gap.', pattern: 'one hidden line' })),
};

const welcomeMail = {
  subject: 'Welcome to Fern & Clay, {{first_name}}',
  preheader: 'Your account is ready. Set it up in a minute.',
  html: WELCOME,
  css: '',
  text: 'Welcome, {{first_name}}\n\nSet up your account: {{setup_url}}\n',
  variables: [
    { name: 'first_name', type: 'string', required: true, example: 'Ana', description: 'Given name' },
    {
      name: 'setup_url',
      type: 'string',
      required: true,
      example: 'https://fernandclay.example/setup',
      description: 'Where the account is set up',
    },
  ],
};

async function friendlierWelcome() {
  const starter = (await readStarters()).find(({ name }) => name === 'welcome');
  const { html = '', css = '', text = '', preheader = '' } = starter?.document ?? {};
  return { subject: 'Good to have you here, {{name}}', preheader, html, css, text, variables: [] };
}

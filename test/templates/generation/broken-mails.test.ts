import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { localizeFault, plainReader } from '../../../src/language.ts';
import type { ModelAnswer } from '../../peers/model-answer.ts';
import { turnsOf } from '../../peers/turns-of.ts';
import { newCaller, type Tools, useTools } from '../../support/app.ts';
import { faultOf } from '../../support/fault-of.ts';
import { type ModelApp, openModelApp } from '../../support/model-app.ts';
import { answer, GOOD, withHtml } from './mail.ts';

let model: ModelApp;
let call: Tools;

beforeAll(async () => {
  model = await openModelApp();
});
beforeEach(async () => {
  call = useTools(model.app, await newCaller(model.app));
});
afterAll(() => model.close());

const prompt = 'Welcome a new customer.';
const names = async () => {
  const { items } = await call('list_templates');
  return (items as { name: string }[]).map(({ name }) => name);
};

/** The turns of the request this many from the end. */
function turns(fromEnd = 1) {
  const request = model.server.requests.at(-fromEnd);
  if (!request) throw new Error('the model was not asked');
  return turnsOf(request.body);
}

/** What the model was told about its last answer. */
function told(): Record<string, unknown>[] {
  const text = turns().messages.at(-1)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('\n['), text.lastIndexOf(']') + 1));
}

test('a template that does not parse goes back to the model with line and column, and usage counts both attempts', async () => {
  model.server.script(answer(withHtml((html) => html.replace('{{/each}}', '{{/if}}'))), answer(GOOD));
  expect(await call('generate_template', { prompt })).toMatchObject({
    html: GOOD.html,
    attempts: 2,
    usage: { input_tokens: 200, output_tokens: 40, cost_usd: 0.000088 },
    warnings: [],
  });
  expect(turns().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(told()).toEqual([
    {
      field: 'html',
      code: 'template_invalid.block_mismatch',
      line: 15,
      col: 8,
      problem: expect.stringContaining('line 15'),
    },
  ]);
});

test.each([
  ['three braces', '{{{first_name}}}', 'unsafe_context.raw'],
  [
    'a variable in a script address',
    '<a href="javascript:{{first_name}}">x</a>',
    'unsafe_context.script_address',
  ],
  ['a link that runs code', '<a href=" java&#115;cript:alert(1)">x</a>', 'provider_bad_output.active'],
  ['a style that runs code', '<p style="width: expression(alert(1))">x</p>', 'provider_bad_output.active'],
  [
    'a script put together by branches',
    '<scr{{! }}ipt>alert(1)</scr{{! }}ipt>',
    'provider_bad_output.active',
  ],
  ['a made-up address', '<img src="https://cdn.example.net/hero.png" alt="">', 'generated_address'],
])('%s is repaired', async (_, html, code) => {
  model.server.script(answer(withHtml((good) => good.replace('<h1>', `${html}<h1>`))), answer(GOOD));
  expect(await call('generate_template', { prompt })).toMatchObject({
    html: GOOD.html,
    attempts: 2,
    warnings: [],
  });
  expect(told().map((problem) => problem['code'])).toContain(code);
});

test('scripts, handlers, forms and outside style sheets are taken out and told', async () => {
  const html = GOOD.html
    .replace(
      '</head>',
      '<link rel="stylesheet" href="https://example.com/a.css"><script src="x.js"></script></head>',
    )
    .replace('<h1>', '<h1 onclick="alert(1)">')
    .replace('<p><a', '<form action="/x"><p><a')
    .replace('account</a></p>', 'account</a></p></form><iframe src="https://example.com"></iframe>');
  const css = `@import url('https://fonts.example.com/css2?family=Inter:wght@400;700');\n${GOOD.css}`;
  model.server.script(answer({ ...GOOD, html, css }));
  const generated = await call('generate_template', { prompt });
  expect(generated).toMatchObject({ html: GOOD.html.replace('<h1>', '<h1 >'), attempts: 1 });
  expect(generated['css']).toBe(`\n${GOOD.css}`);
  expect(
    (generated['warnings'] as { message: string }[]).map(({ message }) => message.split(',')[0]),
  ).toEqual([
    'The model wrote <link>',
    'The model wrote <script>',
    'The model wrote onclick',
    'The model wrote <form>',
    'The model wrote <iframe>',
    'The model wrote @import',
  ]);
});

test('a variable asked for that is not read is repaired, and told when it stays away', async () => {
  const variables = [{ name: 'order.number' }];
  const mended = withHtml((html) => html.replace('</h1>', ' {{order.number}}</h1>'));
  model.server.script(answer(GOOD), answer(mended));
  expect(await call('generate_template', { prompt, variables })).toMatchObject({ attempts: 2, warnings: [] });
  expect(told()).toEqual([
    {
      code: 'generated_variable_unread',
      problem: 'You requested the variable order.number, but the template does not use it.',
    },
  ]);
  model.server.script(answer(GOOD), answer(GOOD), answer(GOOD));
  expect(await call('generate_template', { prompt, variables })).toMatchObject({
    attempts: 3,
    warnings: [{ code: 'generated_variable_unread' }],
  });
});

test('a mail that stays broken is not delivered and nothing is saved', async () => {
  const broken = answer(withHtml((html) => html.replace('{{first_name}}', '{{{first_name}}}')));
  model.server.script(broken, broken, broken);
  const before = await names();
  const fault = await faultOf(call('generate_template', { prompt, save: { name: 'hello' } }));
  expect(localizeFault(fault, plainReader('en'))).toMatchObject({
    detail: expect.stringContaining('attempts: 3'),
    errors: [{ loc: ['answer', 'html'], line: 14, type: 'unsafe_context.raw' }],
  });
  expect([fault.code, fault.status, fault.data]).toEqual([
    'provider_bad_output',
    502,
    { usage: { input_tokens: 300, output_tokens: 60, cost_usd: 0.000132 } },
  ]);
  expect(await names()).toEqual(before);
});

const failures: [string, ModelAnswer[], string][] = [
  ['a rejected key', [{ fails: 401 }], 'provider_auth'],
  ['too many requests', [{ fails: 429, headers: { 'retry-after': '600' } }], 'provider_rate_limited'],
  ['a server error', [{ fails: 500 }, { fails: 500 }], 'provider_unavailable'],
  ['a refusal', [{ refusal: 'I cannot help with that.' }], 'topic_refused'],
  [
    'an answer cut in the middle, twice',
    [{ cut: JSON.stringify(GOOD).slice(0, 200) }, { cut: JSON.stringify(GOOD).slice(0, 400) }],
    'provider_bad_output',
  ],
];

test.each(['openai', 'anthropic'] as const)(
  'what goes wrong at %s is said and nothing is saved',
  async (provider) => {
    const before = await names();
    for (const [what, answers, code] of failures) {
      model.server.script(...answers);
      const fault = await faultOf(call('generate_template', { prompt, provider, save: { name: 'hello' } }));
      expect([what, fault.code]).toEqual([what, code]);
    }
    expect(await names()).toEqual(before);
  },
);

test('a repair that fails at the provider leaves the answer there is', async () => {
  model.server.script(answer(GOOD), { fails: 401 });
  expect(await call('generate_template', { prompt, variables: [{ name: 'vat_id' }] })).toMatchObject({
    attempts: 1,
    usage: { input_tokens: 100, output_tokens: 20, cost_usd: 0.000044 },
    warnings: [{ code: 'generated_variable_unread' }],
  });
});

test('a caller who gives up stops the model, and nothing is saved', async () => {
  const leaving = new AbortController();
  const caller = await newCaller(model.app);
  const mine = useTools(model.app, caller, { signal: leaving.signal });
  const index = model.server.requests.length;
  model.server.script({ silence: true });
  const answered = mine('generate_template', { prompt, save: { name: 'hello' } });
  const request = await model.server.arrived(index);
  leaving.abort(new Error('the caller left'));
  await expect(answered).rejects.toThrow('the caller left');
  expect(await request.outcome).toBe('left');
  await expect(mine('get_template', { name: 'hello' })).rejects.toThrow('not_found');
});

test('how far it is and what the model writes is told while it works', async () => {
  const steps: unknown[] = [];
  let text = '';
  const mine = useTools(model.app, await newCaller(model.app), {
    progress: (...step) => steps.push(step),
    text: (piece) => {
      text += piece;
    },
  });
  const broken = withHtml((html) => html.replace('{{/each}}', ''));
  model.server.script(answer(broken), answer(GOOD));
  await mine('generate_template', { prompt });
  expect(steps).toEqual([
    [0, 6, 'writing'],
    [1, 6, 'checking'],
    [2, 6, 'repairing 1'],
    [3, 6, 'checking'],
    [6, 6, 'done'],
  ]);
  expect(text).toBe(JSON.stringify(broken) + JSON.stringify(GOOD));
});

test('a mail whose place was taken while the model wrote is still handed over', async () => {
  const index = model.server.requests.length;
  model.server.script({ drips: JSON.stringify(GOOD), everyMs: 1 });
  const generating = call('generate_template', { prompt, save: { name: 'hello' } });
  await model.server.arrived(index);
  await call('create_template', { name: 'hello', html: '<p>First</p>' });
  const generated = await generating;
  expect(generated).toMatchObject({ html: GOOD.html, warnings: [{ code: 'generated_unsaved' }] });
  expect(generated).not.toHaveProperty('saved');
});

test('examples that no database keeps, or nested without end, are left out', async () => {
  const items = GOOD.variables.find(({ name }) => name === 'items');
  for (const example of ['[{"name":"a\\u0000b"}]', `[{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`]) {
    const variables = GOOD.variables.map((one) => (one === items ? { ...one, example } : one));
    model.server.script(answer({ ...GOOD, variables }));
    const name = `mail-${example.length}`;
    expect(await call('generate_template', { prompt, save: { name } })).toMatchObject({
      sample_data: { items: [{ name: 'name', price: 9 }] },
      saved: { template: name },
    });
  }
});

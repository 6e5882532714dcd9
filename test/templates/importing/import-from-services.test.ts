import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../src/identity/caller.ts';
import { localizeFault, plainReader } from '../../../src/language.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';
import { faultOf } from '../../support/fault-of.ts';
import { shipped } from './sendgrid-export.ts';

let app: TestApp;
let caller: Caller;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  caller = await newBareCaller(app);
  call = useTools(app, caller);
});
afterAll(() => app.close());

const _names = async () => {
  const { items } = await call('list_templates', { limit: 200 });
  return (items as { name: string }[]).map(({ name }) => name);
};
test('SendGrid: versions become the history of main, the active one is shown, test data a fixture', async () => {
  expect(await call('import_templates', { source: 'sendgrid', payload: shipped })).toEqual({
    environments: ['staging', 'production'],
    created: [{ name: 'Order shipped', kind: 'template', version: 'v1.1.0', from: shipped.id }].map(
      (one) => ({
        ...one,
        version: expect.stringMatching(/^v/),
      }),
    ),
    skipped: [],
    notes: [
      {
        template: 'Order shipped',
        code: 'import_helper',
        message: 'The helper insert was replaced by default.',
        line: 1,
        col: 6,
      },
      {
        template: 'Order shipped',
        code: 'import_variable',
        message: '{{{unsubscribe}}} was replaced by {{unsubscribe_url}}. Send that value in the data.',
        line: 3,
        col: 10,
      },
      {
        template: 'Order shipped',
        code: 'import_helper',
        message: 'The helper insert was replaced by default.',
        line: 1,
        col: 6,
      },
    ],
  });
  const { items } = await call('list_versions', { template: 'Order shipped' });
  expect(
    (items as { message: string; environments: string[] }[]).map((one) => [
      one.message,
      one.environments.sort(),
    ]),
  ).toEqual([
    ['Imported from SendGrid: with list', ['production', 'staging']],
    ['Imported from SendGrid: first', []],
  ]);
  expect(await call('render_template', { template: 'Order shipped', fixture: 'sample' })).toMatchObject({
    subject: 'Sent, Ana',
    html: '<p>Ana</p>\n<p>Mug</p>\n<a href="https://example.com/u">stop</a>',
    text: 'Hi Ana',
  });
});

test('SendGrid: an older version in use is the one environments show', async () => {
  const [newer, older] = shipped.versions;
  const payload = {
    ...shipped,
    versions: [
      { ...newer, active: 0 },
      { ...older, active: 1 },
    ],
  };
  const { notes } = await call('import_templates', { payload: { result: [payload], _metadata: {} } });
  expect((notes as { code: string }[]).map(({ code }) => code)).toEqual(['import_active_older']);
  expect(await call('render_template', { template: 'Order shipped', data: { name: 'Ana' } })).toMatchObject({
    html: '<p>Sent, Ana</p>',
    environment: 'production',
  });
});

test('SendGrid: a legacy template has its substitution tags rewritten, and html of its body declared', async () => {
  const payload = {
    id: '7b9c',
    name: 'old',
    generation: 'legacy',
    versions: [
      { name: 'a', active: 1, html_content: '<h1>-title-</h1><div><%body%></div>', subject: '<%subject%>' },
    ],
  };
  const { notes } = await call('import_templates', { payload });
  expect((notes as { code: string }[]).map(({ code }) => code)).toEqual([
    'import_variable',
    'import_variable',
    'import_variable',
    'import_raw',
  ]);
  const data = { title: 'A & B', body: '<b>bold</b><script>1</script>', subject: 'Hi' };
  expect(await call('render_template', { template: 'old', data })).toMatchObject({
    html: '<h1>A &amp; B</h1><div><b>bold</b></div>',
    subject: 'Hi',
  });
});

test('Postmark: a layout comes before the templates that use it, in whatever order they are sent', async () => {
  const payload = [
    {
      TemplateId: 2,
      Name: 'Welcome mail',
      Alias: 'pm-welcome',
      Subject: 'Hi {{name}}',
      HtmlBody: '<p>{{#company}}{{name}}{{/company}}</p>',
      TextBody: 'Hi {{name}}',
      TemplateType: 'Standard',
      LayoutTemplate: 'basic',
      Active: true,
    },
    {
      TemplateId: 1,
      Name: 'Basic',
      Alias: 'basic',
      HtmlBody: '<main>{{{ @content }}}</main>',
      TextBody: '{{{@content}}} --',
      TemplateType: 'Layout',
    },
  ];
  const answer = await call('import_templates', { source: 'postmark', payload, prefix: 'x-' });
  expect(answer['created']).toEqual([
    { name: 'x-pm-welcome', kind: 'template', version: 'v1.0.0', from: '2' },
    { name: 'x-basic', kind: 'layout', version: 'v1.0.0', from: '1' },
  ]);
  expect(
    await call('render_template', {
      template: 'x-pm-welcome',
      data: { name: 'Ana', company: { name: 'ACME' } },
    }),
  ).toMatchObject({ html: '<main><p>ACME</p></main>', text: 'Hi Ana --', subject: 'Hi Ana' });
  expect(await call('get_version', { template: 'x-pm-welcome', version: 'v1.0.0' })).toMatchObject({
    layout: 'x-basic',
  });
});

test('Mailgun: its variables become data, and three braces inside a tag become two', async () => {
  const payload = {
    template: {
      name: 'billing',
      description: 'Monthly bill',
      createdAt: 'Wed, 29 Aug 2018 23:31:13 UTC',
      createdBy: '',
      version: {
        tag: 'v0',
        template: '<a href="{{{link}}}">{{#equal plan "pro"}}Pro{{/equal}}, %recipient.name%</a>',
        engine: 'handlebars',
        mjml: '',
        createdAt: 'Wed, 29 Aug 2018 23:31:15 UTC',
        comment: 'first',
        active: true,
        headers: { Subject: 'Your bill' },
      },
    },
  };
  const { notes } = await call('import_templates', { payload });
  expect(
    (notes as { code: string; line: number; col: number }[]).map(({ code, line, col }) => [code, line, col]),
  ).toEqual([
    ['import_helper', 1, 25],
    ['import_variable', 1, 58],
    ['import_raw_place', 1, 10],
  ]);
  const data = { link: 'https://example.com/?a&b', plan: 'pro', recipient: { name: 'Ana' } };
  expect(await call('render_template', { template: 'billing', data })).toMatchObject({
    html: '<a href="https://example.com/?a&amp;b">Pro, Ana</a>',
    subject: 'Your bill',
  });
});

test('Mailgun: an engine that is not handlebars is refused by its name', async () => {
  const version = { tag: 'a', template: '{{.Name}}', engine: 'go', active: true };
  const fault = await faultOf(call('import_templates', { payload: { template: { name: 'bill', version } } }));
  expect(localizeFault(fault, plainReader('en')).errors).toEqual([
    {
      loc: ['body', 'payload', 'bill'],
      type: 'template_invalid.import_engine',
      msg: 'bill uses the engine go, but only Handlebars can be imported. Rewrite it for Handlebars first.',
    },
  ]);
});

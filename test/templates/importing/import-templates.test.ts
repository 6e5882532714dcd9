import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../src/identity/caller.ts';
import { localizeFault, plainReader } from '../../../src/language.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';
import { faultOf } from '../../support/fault-of.ts';
import { zipOf } from './archives.ts';
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

const names = async () => {
  const { items } = await call('list_templates', { limit: 200 });
  return (items as { name: string }[]).map(({ name }) => name);
};
test('html comes as a text, an object or a list; a page is named after its title', async () => {
  const page = '<html><head><title>Summer: sale!</title></head><body>{{name}}</body></html>';
  expect((await call('import_templates', { payload: page }))['created']).toEqual([
    { name: 'Summer-sale', kind: 'template', version: 'v1.0.0', from: 'Summer: sale!' },
  ]);
  const payload = [
    { name: 'card', kind: 'partial', html: '<b>{{title}}</b>' },
    {
      name: 'list',
      html: '{{#each items}}{{> card}}{{/each}}',
      subject: 'List',
      fixtures: { two: { items: [] } },
    },
  ];
  await call('import_templates', { source: 'html', payload });
  expect(
    await call('render_template', { template: 'list', data: { items: [{ title: 'A' }] } }),
  ).toMatchObject({
    html: '<b>A</b>',
  });
});

test('placeholders of other tools, which would be printed as they are, are named in the notes', async () => {
  const payload = '<title>Sale</title><p>Hi *|FNAME|* and <%= name %></p><code>{{name}}</code>';
  const { notes } = await call('import_templates', { source: 'html', payload });
  expect((notes as { code: string; message: string }[]).map(({ message }) => message)).toEqual([
    '*|FNAME|* is a placeholder of another tool, so readers see it unchanged. Write a variable in double braces instead.',
    '<%= name %> is a placeholder of another tool, so readers see it unchanged. Write a variable in double braces instead.',
  ]);
});

test('MJML is kept as MJML, whether as a text, an object or a file', async () => {
  const mjml =
    '<mjml><mj-head><mj-title>Mail</mj-title></mj-head><mj-body><mj-section><mj-column><mj-text>Hi {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
  const archive = await zipOf({ 'news.mjml': mjml });
  for (const payload of [mjml, { name: 'letter', mjml, subject: 'Hi' }, archive.toString('base64')])
    await call('import_templates', { payload });
  for (const template of ['Mail', 'letter', 'news']) {
    expect(await call('get_version', { template, version: 'v1.0.0' })).toMatchObject({
      html: mjml,
      format: 'mjml',
    });
    const { html } = await call('render_template', { template, data: { name: 'Ana' } });
    expect(html).toContain('>Hi Ana</div>');
  }
});

test('a zip of a folder: sources with their subject, text and sample, exports, and what became nothing', async () => {
  const archive = await zipOf({
    'export/mails/welcome back.html': '<p>Hi {{name}}</p>',
    'export/mails/welcome back.txt': 'Hi {{name}}',
    'export/mails/welcome back.subject.txt': 'Again, {{name}}\n',
    'export/mails/welcome back.json': '{"name":"Ana"}',
    'export/pm/meta.json': '{"Name":"From the CLI","Alias":"cli","Subject":"S"}',
    'export/pm/content.html': '<p>{{.}}</p>',
    'export/sendgrid.json': JSON.stringify({
      id: 'd-1',
      name: 'sg',
      versions: [{ active: 1, html_content: '<p>x</p>' }],
    }),
    'export/logo.png': Buffer.from([137, 80, 78, 71]),
    'export/.DS_Store': 'x',
  });
  const answer = await call('import_templates', { source: 'zip', payload: archive.toString('base64') });
  expect(answer).toMatchObject({
    created: [
      { name: 'cli', from: 'pm/meta.json' },
      { name: 'sg', from: 'd-1' },
      { name: 'mails-welcome back', from: 'mails/welcome back.html' },
    ],
    skipped: [],
    notes: [{ template: 'logo.png', code: 'import_file_ignored' }],
  });
  expect(await call('render_template', { template: 'mails-welcome back', fixture: 'sample' })).toMatchObject({
    subject: 'Again, Ana',
    text: 'Hi Ana',
  });
});

test.each([
  [
    'its folder',
    { 'offers/index.html': '<p>a</p>', 'news/spring/index.html': '<p>b</p>' },
    ['offers', 'news-spring'],
  ],
  ['the folder around everything', { 'june/index.html': '<p>a</p>', 'june/images/readme.txt': '' }, ['june']],
  ['its title', { 'index.html': '<title>Summer sale!</title><p>a</p>' }, ['Summer sale']],
  [
    'its title as a browser shows it',
    { 'index.html': '<title>Tea &amp; cake</title><p>a</p>' },
    ['Tea-cake'],
  ],
  ['index, when nothing else says more', { 'index.html': '<title>{{subject}}</title><p>a</p>' }, ['index']],
] as const)('a zip of a folder: index.html is named after %s', async (_, files, names) => {
  const payload = (await zipOf(files)).toString('base64');

  const { created } = await call('import_templates', { payload, dry_run: true });

  expect(created).toMatchObject(names.map((name) => ({ name })));
});

test('a zip of a folder: sample data is no export of a service, whatever its fields, and marks of Windows editors are no text', async () => {
  const files = {
    'bill.html': '\ufeff<p>{{html}}</p>',
    'bill.subject.txt': '\ufeffFor {{name}}',
    'bill.json': '\ufeff{"name": "Ana", "html": "x"}',
    'list.html': '<p>{{name}}</p>',
    'list.json': '[]',
    'sent.json': '\ufeff{"Name": "Sent", "HtmlBody": "<p>x</p>"}',
  };
  expect(await call('import_templates', { payload: (await zipOf(files)).toString('base64') })).toMatchObject({
    created: [{ name: 'Sent' }, { name: 'bill' }, { name: 'list' }],
    notes: [{ template: 'list', code: 'import_test_data' }],
  });
  expect(await call('render_template', { template: 'bill', fixture: 'sample' })).toMatchObject({
    html: '<p>x</p>',
    subject: 'For Ana',
  });
});

test('a text that begins with a mustache or a bracket is no JSON', async () => {
  for (const payload of ['{{#if a}}<p>x</p>{{/if}}', '[unsubscribe] <p>x</p>'])
    expect(await call('import_templates', { payload, on_conflict: 'rename' })).toMatchObject({
      created: [{ kind: 'template' }],
    });
});

test('one bad template among ten: nothing is created, and its place is that of the text as it was sent', async () => {
  const before = await names();
  const version = (html: string) => ({ name: 'v', active: 1, html_content: html });
  const payload = Array.from({ length: 10 }, (_, index) => ({
    id: `d-${index}`,
    name: `t${index}`,
    versions: [version(index === 6 ? '<p>\n{{insert a "default=b"}} {{shout a}}</p>' : `<p>${index}</p>`)],
  }));
  const fault = await faultOf(call('import_templates', { payload }));
  expect(localizeFault(fault, plainReader('en'))).toMatchObject({
    detail:
      "Nothing was imported, because some templates are not valid (count: 1, first: 't6'). Fix the places listed in errors, or send skip_invalid=true.",
    errors: [{ loc: ['body', 'payload', 'd-6', 'html'], line: 2, col: 26 }],
  });
  expect(localizeFault(fault, plainReader('en')).errors[0]?.msg).toContain(
    "'shout' not found (line 2, column 26 of the html field)",
  );
  expect(localizeFault(fault, plainReader('es')).detail).toContain(
    'No se importó nada porque hay plantillas no válidas (cantidad: 1, primera: «t6»)',
  );
  expect(await names()).toEqual(before);
  const answer = await call('import_templates', { payload, skip_invalid: true });
  expect(answer).toMatchObject({
    skipped: [{ name: 't6', reason: 'invalid', errors: [{ line: 2, col: 26 }] }],
  });
  expect(answer['created']).toHaveLength(9);
});

test('what uses something invalid is left out with it', async () => {
  const payload = [
    { name: 'uses-broken', html: '{{> broken}}' },
    { name: 'broken', kind: 'partial', html: '{{#if' },
    { name: 'fine', html: 'x' },
  ];
  const answer = await call('import_templates', { payload, skip_invalid: true });
  expect(answer).toMatchObject({
    created: [{ name: 'fine' }],
    skipped: [
      { name: 'uses-broken', errors: [{ type: 'template_invalid.missing_part' }] },
      { name: 'broken' },
    ],
  });
});

test('a write that fails in the middle leaves nothing behind', async () => {
  const before = await names();
  await app.database.sql`
    create or replace function refuse_t3() returns trigger language plpgsql as $$
    begin if new.name = 't3' then raise exception 'no t3'; end if; return new; end $$`;
  await app.database
    .sql`create trigger refuse_t3 before insert on templates for each row execute function refuse_t3()`;
  try {
    const payload = Array.from({ length: 5 }, (_, index) => ({ name: `t${index}`, html: 'x' }));
    await expect(call('import_templates', { payload })).rejects.toThrow('no t3');
  } finally {
    await app.database.sql`drop trigger refuse_t3 on templates`;
  }
  expect(await names()).toEqual(before);
});

test('a dry run answers what an import would, and writes nothing', async () => {
  const before = await names();
  const input = { source: 'sendgrid', payload: shipped } as const;
  const dry = await call('import_templates', { ...input, dry_run: true });
  expect(await names()).toEqual(before);
  expect(await call('import_templates', input)).toEqual(dry);
});

test('a name that is taken: skipped, renamed with those that use it, or a new version', async () => {
  await call('create_template', { name: 'card', kind: 'partial', html: 'old' });
  const payload = [
    { name: 'card', kind: 'partial', html: 'new' },
    { name: 'page', html: '{{> card}}' },
  ];
  expect(await call('import_templates', { payload })).toMatchObject({
    created: [{ name: 'page' }],
    skipped: [{ name: 'card', reason: 'taken' }],
  });
  expect(await call('render_template', { template: 'page' })).toMatchObject({ html: 'old' });
  expect(await call('import_templates', { payload, on_conflict: 'rename' })).toMatchObject({
    created: [{ name: 'card-2' }, { name: 'page-2' }],
    notes: [
      { template: 'card-2', code: 'import_renamed' },
      { template: 'page-2', code: 'import_renamed' },
    ],
  });
  expect(await call('render_template', { template: 'page-2' })).toMatchObject({ html: 'new' });
  expect(await call('import_templates', { payload, on_conflict: 'version' })).toMatchObject({
    created: [{ name: 'card', version: 'v1.0.1' }],
    skipped: [{ name: 'page', reason: 'identical' }],
  });
  expect(
    await call('import_templates', { payload: { name: 'card', html: 'x' }, on_conflict: 'version' }),
  ).toMatchObject({
    created: [],
    skipped: [{ name: 'card', reason: 'kind' }],
  });
});

test('names are made valid, and two that become the same are told apart in order', async () => {
  const payload = ['Order #1', 'Order /1', '***', '¡Año nuevo!'].map((name) => ({ name, html: name }));
  const { created } = await call('import_templates', { payload });
  expect((created as { name: string }[]).map(({ name }) => name)).toEqual([
    'Order-1',
    'Order-1-2',
    'template',
    'Año nuevo',
  ]);
});

test.each([
  ['no JSON', { source: 'sendgrid', payload: '{"versions":' }, 'validation_failed.import_json'],
  ['another service', { source: 'postmark', payload: shipped }, 'validation_failed.import_payload'],
  ['nothing known', { payload: { hello: 1 } }, 'validation_failed.import_source'],
  ['an empty list', { source: 'mailgun', payload: { items: [] } }, 'validation_failed.import_empty'],
  ['no base64', { source: 'zip', payload: 'not base64!' }, 'validation_failed.archive_base64'],
  ['no zip', { source: 'zip', payload: 'AAAA' }, 'validation_failed.archive'],
  [
    'a list without html',
    { payload: { ...shipped, versions: [{ name: 'a', active: 1 }] } },
    'template_invalid.import',
  ],
  ['a missing layout', { payload: { name: 'a', html: 'x', layout: 'nowhere' } }, 'template_invalid.import'],
  [
    'too many',
    { payload: Array.from({ length: 501 }, (_, index) => ({ name: `a${index}`, html: 'x' })) },
    'validation_failed.import_count',
  ],
])('%s is refused by name', async (_case, input, key) => {
  expect((await faultOf(call('import_templates', input))).key).toBe(key);
});

test('an import leaves one event, with what it created', async () => {
  await call('import_templates', {
    payload: [
      { name: 'a', html: 'x' },
      { name: 'b', html: 'y' },
    ],
  });
  expect(await call('list_audit_events', { limit: 1 })).toMatchObject({
    items: [{ action: 'templates.imported', target: 'auto', actor: 'test', detail: { created: ['a', 'b'] } }],
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
  call = useTools(app, await newBareCaller(app));
});
afterAll(() => app.close());

test('lint_template says what is wrong with unsaved html, in words and with what to do', async () => {
  const html = '<p>Hello {{name}}</p>\n<img src="{{picture}}" width="9">';
  const data = { name: 'Ana', picture: 'boat.png' };
  expect(await call('lint_template', { html, data, rules: ['img-source', 'img-alt'] })).toEqual({
    score: 75,
    findings: [
      {
        rule: 'img-source',
        severity: 'error',
        message: "The image URL 'boat.png' can't load in an email.",
        fix: 'Use a full URL that starts with https://.',
        line: 2,
        col: 1,
      },
      {
        rule: 'img-alt',
        severity: 'warning',
        message: "The image has no alt text, so a reader without images can't tell what it shows.",
        fix: 'Add alt with what the image says, or alt="" if it is only decoration.',
        line: 2,
        col: 1,
      },
    ],
    size: { bytes: 47, clip_at: 102_400 },
    missing_variables: [],
    type_mismatches: [],
    warnings: [],
  });
});

test('lint_template speaks the language of the caller', async () => {
  const spanish = useTools(app, await newBareCaller(app), { locale: 'es' });
  const { findings } = await spanish('lint_template', {
    html: '<a href="#">Pedido</a>',
    rules: ['link-empty'],
  });
  expect(findings).toMatchObject([{ message: 'El enlace no tiene URL, así que no pasa nada al abrirlo.' }]);
});

test('Without data a template is filled with sample data, and addresses made of it are not judged', async () => {
  const html =
    '<a href="{{site}}/orders">Order</a> <a href="/help">Help</a> <a href="mailto:{{contact}}">Write</a>';
  const { findings } = await call('lint_template', { html, rules: ['link-broken', 'link-mailto'] });
  expect(findings).toMatchObject([
    { rule: 'link-broken', message: "The link '/help' does not work in an email." },
  ]);
});

test('lint_template takes the version asked for, and the fixture of it', async () => {
  await call('create_template', {
    name: 'note',
    html: '<a href="{{to}}">Go</a>',
    fixtures: { one: { to: '#' } },
  });
  await call('update_template', { name: 'note', html: '<a href="https://a.example/{{to}}">Go</a>' });
  const rules = ['link-empty'];
  expect(
    await call('lint_template', { template: 'note', fixture: 'one', version: 'v1.0.0', rules }),
  ).toMatchObject({
    score: 95,
  });
  expect(
    await call('lint_template', { template: 'note', fixture: 'one', branch: 'main', rules }),
  ).toMatchObject({
    score: 100,
  });
});

test('An unknown rule is answered with the rules there are', async () => {
  await expect(call('lint_template', { html: 'a', rules: ['nice'] })).rejects.toMatchObject({
    key: 'validation_failed.lint_rule',
  });
});

test('validate_template lints what is valid, filled with its sample data', async () => {
  const { lint } = await call('validate_template', { html: '<img src="{{photo}}"><a href="">{{name}}</a>' });
  expect(lint).toMatchObject({
    score: 85,
    findings: expect.arrayContaining([expect.objectContaining({ rule: 'link-empty', line: 1 })]),
  });
});

test('validate_template lints neither what is not valid nor a part of a mail', async () => {
  expect(await call('validate_template', { html: '{{#if a}}' })).not.toHaveProperty('lint');
  expect(await call('validate_template', { html: '<p>a</p>', kind: 'partial' })).not.toHaveProperty('lint');
});

test('without data, lint_template uses the fixture sample, else values made up, and says so', async () => {
  await call('create_template', { name: 'shipping-note', html: '<p>Hello {{name}}</p>' });
  const said = async () => {
    const { warnings } = await call('lint_template', { template: 'shipping-note', rules: ['img-alt'] });
    return (warnings as { code: string }[]).map(({ code }) => code);
  };
  expect(await said()).toEqual(['sample_made']);
  await call('save_fixture', { template: 'shipping-note', fixture: 'sample', data: { name: 'Ana' } });
  expect(await said()).toEqual(['sample_fixture']);
});

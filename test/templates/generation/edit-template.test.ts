import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { turnsOf } from '../../peers/turns-of.ts';
import { newCaller, type Tools, useTools } from '../../support/app.ts';
import { type ModelApp, openModelApp } from '../../support/model-app.ts';
import { answer } from './mail.ts';

let model: ModelApp;
let call: Tools;

const NOTE = {
  name: 'note',
  html: '<!DOCTYPE html>\n<html lang="en">\n<title>Note</title>\n<p>Hello {{name}}</p>\n<p>Total: {{total}}</p>\n</html>\n',
  subject: 'A note for {{name}}',
};

beforeAll(async () => {
  model = await openModelApp();
});
beforeEach(async () => {
  call = useTools(model.app, await newCaller(model.app));
  await call('create_template', NOTE);
});
afterAll(() => model.close());

/** The note as a model gives it back, with some fields changed. */
function edited(change: Record<string, unknown>) {
  const { html, subject } = NOTE;
  return answer({ html, subject, preheader: '', css: '', text: '', variables: [], ...change });
}

const edit = (input: Record<string, unknown>) =>
  call('edit_template', { template: 'note', instruction: 'Be warmer', ...input });

test.each(['openai', 'anthropic'])('%s changes a template on a new Draft branch', async (provider) => {
  model.server.script(edited({ html: NOTE.html.replace('Hello', 'Dear') }));
  expect(await edit({ provider, model: 'some-model' })).toEqual({
    template: 'note',
    branch: 'ai-1',
    version: 'v1.0.1-ai-1.1',
    diff: [
      '--- v1.0.0/html',
      '+++ v1.0.1-ai-1.1/html',
      '@@ -1,6 +1,6 @@',
      ' <!DOCTYPE html>',
      ' <html lang="en">',
      ' <title>Note</title>',
      '-<p>Hello {{name}}</p>',
      '+<p>Dear {{name}}</p>',
      ' <p>Total: {{total}}</p>',
      ' </html>',
      '',
    ].join('\n'),
    changed: ['html'],
    lint: expect.objectContaining({ score: expect.any(Number) }),
    provider,
    model: 'some-model',
    usage: { input_tokens: 100, output_tokens: 20, cost_usd: null },
    attempts: 1,
    warnings: [],
  });
  expect(await call('get_template', { name: 'note' })).toMatchObject({ version: 'v1.0.0' });
  expect(await call('get_version', { template: 'note', version: 'v1.0.1-ai-1.1' })).toMatchObject({
    message: 'Be warmer',
    author: 'test',
    parents: ['v1.0.0'],
  });
  const { instructions, messages } = turnsOf(model.server.requests.at(-1)?.body ?? {});
  expect(JSON.parse(messages[0]?.text ?? '')).toEqual({
    instruction: 'Be warmer',
    template: { html: NOTE.html, subject: NOTE.subject, preheader: '', css: '', text: '' },
    variables: [
      { name: 'name', type: 'string', required: true },
      { name: 'total', type: 'string', required: true },
    ],
  });
  expect(instructions).not.toContain('Be warmer');
});

test('a branch that is there is written on top of its head, and a new one begins where it is told', async () => {
  await call('update_template', { name: 'note', subject: 'Second' });
  model.server.script(
    edited({ subject: 'Third' }),
    edited({ subject: 'Fourth' }),
    edited({ subject: 'Fifth' }),
  );
  expect(await edit({ branch: 'warm', from: 'v1.0.0' })).toMatchObject({
    version: 'v1.0.1-warm.1',
    diff: expect.stringContaining('-A note for {{name}}'),
  });
  expect(await edit({ branch: 'warm' })).toMatchObject({
    version: 'v1.0.1-warm.2',
    diff: expect.stringContaining('-Third'),
  });
  expect(await edit({})).toMatchObject({ branch: 'ai-1', diff: expect.stringContaining('-Second') });
  await expect(edit({ branch: 'warm', from: 'v1.0.0' })).rejects.toThrow('validation_failed.edit_from');
});

test('main is never written, and no person is asked', async () => {
  const asked = model.server.requests.length;
  await expect(edit({ branch: 'main' })).rejects.toThrow('conflict.edit_main');
  expect(model.server.requests).toHaveLength(asked);
});

test('an edit that changes nothing is said and leaves no branch', async () => {
  model.server.script(edited({}));
  await expect(edit({ branch: 'warm' })).rejects.toMatchObject({
    key: 'conflict.edit_unchanged',
    data: { usage: { input_tokens: 100, output_tokens: 20, cost_usd: 0.000044 } },
  });
  expect(await call('list_branches', { template: 'note' })).toMatchObject({ items: [{ name: 'main' }] });
});

test('an edit that fails at the provider leaves no branch', async () => {
  model.server.script({ fails: 401 });
  await expect(edit({ branch: 'warm' })).rejects.toThrow('provider_auth');
  expect(await call('list_branches', { template: 'note' })).toMatchObject({ items: [{ name: 'main' }] });
});

test('what senders must change is told', async () => {
  const html = NOTE.html.replace('{{total}}', '{{amount}}');
  const variables = [{ name: 'amount', type: 'number', required: true, example: '5', description: 'Sum' }];
  model.server.script(edited({ html, variables }));
  const answered = await edit({});
  expect(answered).toMatchObject({ version: 'v2.0.0-ai-1.1', changed: ['html', 'schema'] });
  expect(answered['warnings']).toEqual([
    {
      code: 'contract_breaking',
      message: 'Callers that use this template must adapt: amount became_required.',
    },
    {
      code: 'contract_removed',
      message: 'The template no longer uses total. Callers can stop sending it.',
    },
  ]);
});

test('of two edits of one branch at once, the later one is not laid over the other but put on a new branch', async () => {
  await call('create_branch', { template: 'note', name: 'warm' });
  const slowly = (subject: string) => ({ drips: edited({ subject }).text, everyMs: 2 });
  model.server.script(slowly('Mine'), slowly('Theirs'));
  const [one, other] = await Promise.all([edit({ branch: 'warm' }), edit({ branch: 'warm' })]);
  const elsewhere = {
    code: 'edited_elsewhere',
    message:
      "The branch 'warm' changed while the model was writing, so the edit was saved on the new branch 'ai-1', based on the earlier version. Merge what you want to keep.",
  };
  const told = [one, other].map(({ branch, warnings }) => ({ branch, warnings }));
  expect(told).toContainEqual({ branch: 'warm', warnings: [] });
  expect(told).toContainEqual({ branch: 'ai-1', warnings: [elsewhere] });
});

test('a layout is edited as a layout and keeps the place of the content', async () => {
  const before = await call('get_version', { template: 'shop-layout', version: 'latest' });
  const { html, css = '', text, subject = '', preheader = '' } = before;
  const fields = { css, text, subject, preheader, variables: [] };
  const change = (to: string) =>
    answer({ ...fields, html: String(html).replace('{{> @partial-block}}', to) });
  model.server.script(change('<p>Gone</p>'), change('<div>{{> @partial-block}}</div>'));
  const answered = await call('edit_template', { template: 'shop-layout', instruction: 'Wrap the content' });
  expect(answered).toMatchObject({ attempts: 2, changed: ['html'] });
  expect(answered).not.toHaveProperty('lint');
});

test('a template too large for one answer is refused with what to do', async () => {
  await call('create_template', { name: 'long', html: 'x'.repeat(50_000) });
  await expect(call('edit_template', { template: 'long', instruction: 'Shorter' })).rejects.toThrow(
    'too_large.model',
  );
});

test('of two edits without a branch at once, each gets its own', async () => {
  const slowly = (subject: string) => ({ drips: edited({ subject }).text, everyMs: 2 });
  model.server.script(slowly('Mine'), slowly('Theirs'));
  const both = await Promise.all([edit({}), edit({})]);
  expect(both.map(({ branch }) => branch).sort()).toEqual(['ai-1', 'ai-2']);
  expect(both.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test('MJML is edited as MJML, by the rules of MJML', async () => {
  const html =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
  await call('create_template', { name: 'news', html, format: 'mjml', subject: 'News' });
  const changed = html.replace('Hello', 'Dear');
  model.server.script(edited({ html: changed, subject: 'News' }));
  const { version } = await call('edit_template', { template: 'news', instruction: 'Say Dear' });
  expect(await call('get_template', { name: 'news', version, include: 'html' })).toMatchObject({
    html: changed,
    format: 'mjml',
  });
  const { instructions } = turnsOf(model.server.requests.at(-1)?.body ?? {});
  expect(instructions).toContain('stays MJML');
  expect(instructions).not.toContain('<!DOCTYPE html>');
});

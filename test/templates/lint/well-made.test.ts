import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFinisher } from '../../../src/templates/finish/finish.ts';
import { lint } from '../../../src/templates/lint/lint.ts';
import { readStarters } from '../../../src/templates/starters/starters.ts';
import { newCaller, openTestApp, type TestApp } from '../../support/app.ts';
import { CONTENTS } from './mails/contents.ts';
import { FRAMES } from './mails/frames.ts';
import { MJML_SOURCES } from './mails/mjml-sources.ts';

const finisher = createFinisher({ threads: 1 });
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => Promise.all([app.close(), finisher.close()]));

const bad = async (mail: Parameters<typeof lint>[0]) => {
  const { findings } = lint(mail);
  const wrong = findings.filter(({ severity }) => severity !== 'info');
  return wrong.map(({ rule, line, params }) => ({ rule, line, ...params }));
};

const mails = Object.entries(FRAMES).flatMap(([frame, lay]) =>
  CONTENTS.map((content) => ({ frame, name: content.name, content, html: lay(content) })),
);

test.each(mails)('$frame around a $name has nothing wrong', async ({ content, html }) => {
  const { subject, preheader } = content;
  expect(await bad({ html, subject, preheader, text: 'The same in words' })).toEqual([]);
});

test.each(Object.entries(MJML_SOURCES))('MJML of %s has no errors once compiled', async (_, source) => {
  const compiled = await finisher.compileMjml(source);
  const html = 'html' in compiled ? compiled.html : '';
  expect(html).toContain('<html');
  const { findings, score } = lint({ html, text: 'The same in words' });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(score).toBeGreaterThanOrEqual(90);
});

const starters = (await readStarters()).filter(({ kind }) => kind === 'template');

test.each(starters)('the starter $name has nothing wrong, with every fixture', async ({ name, fixtures }) => {
  const { accountId } = await newCaller(app);
  for (const fixture of Object.keys(fixtures)) {
    const input = { template: name, fixture, onMissing: 'error' } as const;
    const { report } = await app.templates.linting.lintTemplate(accountId, input, {});
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(report.score).toBe(100);
  }
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lint } from '../../../src/templates/lint/lint.ts';
import { LINT_RULES } from '../../../src/templates/lint/rules.ts';
import { samples } from '../../support/samples.ts';

test('A report has the score, the findings by weight and place, and the size in bytes', () => {
  const html = '<p>é\n<a href="/x">Order</a>\n  <img src="https://a.example/b.png"></p>';
  const rules = ['img-alt', 'link-broken', 'img-dimensions'];
  expect(lint({ html }, { rules })).toEqual({
    score: 75,
    findings: [
      { rule: 'link-broken', severity: 'error', params: { address: '/x' }, line: 2, col: 1 },
      { rule: 'img-alt', severity: 'warning', params: {}, line: 3, col: 3 },
      { rule: 'img-dimensions', severity: 'info', params: {}, line: 3, col: 3 },
    ],
    size: { bytes: 70, clip_at: 102_400 },
  });
});

test('A feature used many times is one finding, at its first place, with the clients that lack it', () => {
  const html =
    '<style>\n.a { color: red }\n  .b { display: grid }\n</style><p class="b" style="display:grid">a</p>';
  expect(lint({ html }, { rules: ['client-support'], clients: ['outlook'] })).toMatchObject({
    score: 95,
    findings: [
      {
        rule: 'client-support',
        params: { feature: 'display:grid', lacking: 2 },
        line: 3,
        col: 3,
        count: 2,
        clients: ['outlook.windows', 'outlook.windows-mail'],
      },
    ],
  });
});

test.each([
  [['outlook.windows'], ['outlook.windows']],
  [['gmail', 'gmail.ios'], []],
  [['outlook.windows-mail', 'thunderbird'], ['outlook.windows-mail']],
])('Asked about %j, display:flex fails in %j', (clients, expected) => {
  const { findings } = lint(
    { html: '<p style="display:flex">a</p>' },
    { clients, rules: ['client-support'] },
  );
  expect(findings.flatMap((finding) => finding.clients ?? [])).toEqual(expected);
});

test('A rule or a client that does not exist is refused, with those that do', () => {
  expect(() => lint({ html: '' }, { rules: ['img-alt', 'nice'] })).toThrow(
    expect.objectContaining({
      key: 'validation_failed.lint_rule',
      params: { name: 'nice', known: LINT_RULES.map(({ id }) => id).join(', ') },
    }),
  );
  expect(() => lint({ html: '' }, { clients: ['outlok'] })).toThrow(
    expect.objectContaining({
      key: 'validation_failed.lint_client',
      params: { name: 'outlok', known: expect.stringContaining('gmail, outlook, yahoo, apple-mail') },
    }),
  );
  expect(() => lint({ html: '' }, { clients: ['gmail.watch'] })).toThrow(
    expect.objectContaining({
      params: {
        name: 'gmail.watch',
        known: 'gmail.desktop-webmail, gmail.ios, gmail.android, gmail.mobile-webmail',
      },
    }),
  );
});

test('More findings than a reader wants are cut, and the list says so', () => {
  const { findings } = lint({ html: '<a href="">x</a>'.repeat(300) }, {});
  expect(findings).toHaveLength(200);
  expect(findings.at(-1)).toMatchObject({ rule: 'findings-cut', params: { shown: 199 } });
});

const FILLERS: readonly (readonly [string, string])[] = [
  ['', '<div>'],
  ['', '<b>x</b>'],
  ['', '<a href="">'],
  ['', '<p style="a:(">'],
  ['<p style="', 'a:/*'],
  ['<style>', 'a{b:"'],
  ['<style>', '/*'],
  ['<style>', 'a{background:url('],
  ['', '<!--[if mso]>-->'],
  ['', '{{'],
  ['', '<select><option>'],
];

test.each(FILLERS)('5 MB of %s%s end, and the report says that not all was examined', (start, filler) => {
  const html = start + filler.repeat(5_000_000 / filler.length);
  const { findings, size } = lint({ html });
  expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['partly-examined', 'size-clip']));
  expect(size.bytes).toBe(html.length);
});

const pieces = fc.constantFrom(
  ...'<div>|</div>|<table>|<td|style="|color:|#fff|;|"|\'|>|<!--|[if mso]>|<![endif]|-->|<style>|.a{|}|</style>|<a href=|<img src=|{{x}}|mailto:|http://|%|&#0;|é|\n'.split(
    '|',
  ),
);

test('Whatever the html is, the same report comes twice, with a score from 0 to 100', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const mail = { html: parts.join('') };
      const report = lint(mail);
      expect(lint(mail)).toEqual(report);
      expect(report.score).toBeGreaterThanOrEqual(0);
      expect(report.score).toBeLessThanOrEqual(100);
    }),
    { numRuns: samples(300) },
  );
});

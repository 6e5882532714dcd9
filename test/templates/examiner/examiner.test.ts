import { afterAll, expect, test } from 'vitest';
import { createExaminer } from '../../../src/templates/examiner/examiner.ts';
import { findActive } from '../../../src/templates/generation/active-content.ts';
import { lint } from '../../../src/templates/lint/lint.ts';

const examiner = createExaminer({ threads: 1, ms: 20_000 });
const impatient = createExaminer({ threads: 1, ms: 300 });
afterAll(() => Promise.all([examiner.close(), impatient.close()]));

test('a thread answers what the rules themselves say', async () => {
  const mail = { html: '<a href="">x</a>', subject: 'HELLO' };
  expect(await examiner.lint(mail, { clients: ['gmail'] })).toEqual(lint(mail, { clients: ['gmail'] }));
  const html = '<p onclick="x">a</p><a href="javascript:x">b</a>';
  expect(await examiner.findActive(html)).toEqual(findActive(html));
  expect(await examiner.stripActive('<script>x</script><p>a')).toEqual({
    html: '<p>a',
    removed: ['<script>'],
  });
  const style = 'a{b:url(https://x.test/a)}';
  const url = { start: 8, end: 24, url: 'https://x.test/a', imported: false };
  expect(await examiner.findUrls(style)).toEqual([url]);
  expect(await examiner.findPlaces(`<style>${style}</style><img src="cid:a">`)).toEqual({
    base: undefined,
    places: [{ kind: 'style', css: style, urls: [url], isRaw: true, start: 7, end: 33 }],
  });
});

test('a fault of a rule comes through as one', async () => {
  await expect(examiner.lint({ html: '' }, { clients: ['outlok'] })).rejects.toMatchObject({
    key: 'validation_failed.lint_client',
    params: { name: 'outlok' },
  });
});

const manyAttributes = `<p${Array.from({ length: 1_000_000 }, (_, i) => ` a${i}`).join('')}>`;

test.each([
  ['a million attributes of one element', manyAttributes],
  ['elements in each other that the parser opens again and again', '<b><i><u><p>'.repeat(200_000)],
])('%s end, and the next mail is still examined', async (_name, html) => {
  await expect(impatient.findPlaces(html)).rejects.toMatchObject({
    key: 'render_limit.examine_time',
    params: { limit: 300 },
  });
  expect(await impatient.stripActive('<p>a</p>')).toEqual({ html: '<p>a</p>', removed: [] });
});

test.each([
  ['images', '<img src=//x.test>'.repeat(10_001)],
  ['images of one srcset', `<img srcset="${'//x.test 1x, '.repeat(10_001)}">`],
  ['addresses of one style sheet', `<style>${'url(//x.test)'.repeat(10_001)}</style>`],
])('more than 10,000 %s are refused', async (_name, html) => {
  await expect(examiner.findPlaces(html)).rejects.toMatchObject({
    key: 'render_limit.loads',
    params: { limit: 10_000 },
  });
});

test('of what no mail may hold the first 200 are told, and all of it is cut out', async () => {
  const html = '<p onclick=x></p>'.repeat(300);
  expect(await examiner.findActive(html)).toHaveLength(200);
  expect(await examiner.stripActive(html)).toEqual({
    html: '<p ></p>'.repeat(300),
    removed: ['onclick'],
  });
});

test('an examiner can be closed before its first mail, and twice', async () => {
  const unused = createExaminer();
  await unused.close();
  await unused.close();
});

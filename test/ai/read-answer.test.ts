import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findJson, readAnswer } from '../../src/ai/read-answer.ts';

const Mail = z.object({
  subject: z.string().min(1),
  note: z.string().optional(),
  count: z.number().default(1),
  footer: z.string().nullable().optional(),
  links: z.array(z.object({ url: z.string(), title: z.string().optional() })).optional(),
});

test.each([
  ['plain', '{"subject":"A"}'],
  ['fenced', '```json\n{"subject":"A"}\n```'],
  ['fenced without a name', '```\n{"subject":"A"}\n```'],
  ['within prose', 'Sure! Use {name} like so: {"subject":"A"} Good luck {{you}}.'],
  ['after reasoning', '<think>maybe {"subject":"B"}</think>\n{"subject":"A"}'],
  ['twice: the first counts', '{"subject":"A"}\n{"subject":"B"}'],
])('the answer is found %s', (_, text) => {
  expect(readAnswer(text, Mail)).toEqual({ state: 'read', answer: { subject: 'A', count: 1 } });
});

test('nulls of what may be absent are left out, nulls that are allowed stay', () => {
  const text = '{"subject":"A","note":null,"count":null,"footer":null,"links":[{"url":"u","title":null}]}';
  expect(readAnswer(text, Mail)).toEqual({
    state: 'read',
    answer: { subject: 'A', count: 1, footer: null, links: [{ url: 'u' }] },
  });
});

test('null is an empty text or list where one has to be, and no number', () => {
  const Draft = z.object({ css: z.string(), links: z.array(z.string()), note: z.string().optional() });
  expect(readAnswer('{"css":null,"links":null,"note":null}', Draft)).toEqual({
    state: 'read',
    answer: { css: '', links: [] },
  });
  expect(readAnswer('{"subject":null}', Mail)).toMatchObject({ state: 'wrong_shape' });
  expect(readAnswer('{"count":null}', z.object({ count: z.number() }))).toMatchObject({
    state: 'wrong_shape',
  });
});

test.each(['', 'Candles!', '{"subject":"A"', '"a string"', '42', '{'.repeat(100_000)])(
  'there is no JSON in %.20j',
  (text) => {
    expect(readAnswer(text, Mail)).toEqual({
      state: 'not_json',
      problem: 'There is no whole JSON object in it.',
    });
  },
);

test('the problem with a wrong shape names the place', () => {
  expect(readAnswer('{"subject":"","links":[{"url":null}]}', Mail)).toEqual({
    state: 'wrong_shape',
    problem: expect.stringMatching(/subject[\s\S]*links\[0\]\.url/),
  });
});

test('any object is found again between prose without braces', () => {
  const prose = fc.string().map((text) => text.replace(/[{}"]|<think>/g, ''));
  fc.assert(
    fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
      const json = JSON.stringify(object);
      expect(JSON.stringify(findJson(`${before}\n${json}\n${after}`))).toBe(json);
    }),
  );
});

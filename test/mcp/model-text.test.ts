import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, fence, modelText } from '../../tools/mcp/model-text.ts';

const fixedMarks = (text: string) => text.replace(/data-[0-9a-f]{16}/g, 'data-x');

describe('an answer as a model reads it', () => {
  test('is compact JSON as long as its texts are short', () => {
    expect(modelText({ name: 'welcome', count: 2, tags: ['a'], none: null })).toBe(
      '{"name":"welcome","count":2,"tags":["a"],"none":null}',
    );
  });

  test('has longer texts and markup below the JSON, unescaped and fenced', () => {
    const value = { name: 'welcome', html: '<p>"Hi"</p>', items: [{ text: 'one\ntwo' }] };
    expect(fixedMarks(modelText(value))).toBe(
      [
        '{"name":"welcome","html":"(below)","items":[{"text":"(below)"}]}',
        '<data-x of="html">',
        '<p>"Hi"</p>',
        '</data-x>',
        '<data-x of="items[0].text">',
        'one',
        'two',
        '</data-x>',
      ].join('\n'),
    );
  });

  test('keeps a name that would break out of the mark inside its quotes', () => {
    expect(fixedMarks(modelText({ 'a">\n': '<b>' }))).toBe(
      '{"a\\">\\n":"(below)"}\n<data-x of="a\\">\\n">\n<b>\n</data-x>',
    );
  });

  test('marks every text with a new marker, so that no text can know its own', () => {
    const marks = Array.from({ length: 100 }, () => fence('html', '').slice(1, 22));
    expect(new Set(marks).size).toBe(100);
  });
});

describe('a text that is cut', () => {
  const limits = fc.integer({ min: 60, max: 400 });

  test('has at most the bytes allowed, and only whole characters of the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), limits, (text, limit) => {
        const kept = cut(text, limit);
        return Buffer.byteLength(kept) <= limit && text.startsWith(kept);
      }),
    );
  });

  test('leaves no fence open, whatever stands in it', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('</data-0123456789abcdef>', '<data-0123456789abcdef of=', 'x'),
    });
    fc.assert(
      fc.property(hostile, hostile, limits, (one, two, limit) => {
        const text = `head\n${fence('one', one)}\n${fence('two', two)}`;
        const kept = cut(text, limit);
        const [first = '', second = ''] = [
          ...text.matchAll(/^<(data-[0-9a-f]{16}) of="(?:one|two)">$/gm),
        ].map(([, mark]) => mark);
        const balanced = [first, second].every(
          (mark) => kept.includes(`<${mark} of=`) === kept.includes(`</${mark}>`),
        );
        return balanced && Buffer.byteLength(kept) <= Math.max(limit, 0);
      }),
    );
  });
});

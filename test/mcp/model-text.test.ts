import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutBytes } from '../../tools/mcp/cut-bytes.ts';
import { modelText, newMark } from '../../tools/mcp/model-text.ts';
import { outputOf, partsOf } from './support/read-answer.ts';

const fixedMarks = (text: string) => text.replace(/data-[0-9a-f]{16}/g, 'data-x');
const read = (value: unknown) => fixedMarks(modelText(value).text);
const asAnswer = (text: string) => ({ content: [{ type: 'text', text }] });
const LONG = 'a long text '.repeat(20);

describe('an answer as a model reads it', () => {
  test('is compact JSON between two marks', () => {
    expect(read({ name: 'welcome', count: 2, tags: ['a'], none: null })).toBe(
      '<data-x>\n{"name":"welcome","count":2,"tags":["a"],"none":null}\n</data-x>',
    );
  });

  test('is a text between two marks, where it is a text', () => {
    expect(read('-old\n+new')).toBe('<data-x>\n-old\n+new\n</data-x>');
  });

  test('has longer texts below the JSON, unescaped', () => {
    expect(read({ name: 'welcome', html: `<p>"${LONG}"</p>`, items: [{ text: `${LONG}\n` }] })).toBe(
      [
        '<data-x>',
        '{"name":"welcome","html":"(below)","items":[{"text":"(below)"}]}',
        '<data-x of="html">',
        `<p>"${LONG}"</p>`,
        '<data-x of="items[0].text">',
        `${LONG}\n`,
        '</data-x>',
      ].join('\n'),
    );
  });

  test('keeps a name that would break out of the mark inside its quotes', () => {
    expect(read({ 'a">\n': LONG })).toBe(
      `<data-x>\n{"a\\">\\n":"(below)"}\n<data-x of="a\\">\\n">\n${LONG}\n</data-x>`,
    );
  });

  test('has a new mark every time, so that no text can know its own', () => {
    expect(new Set(Array.from({ length: 100 }, newMark)).size).toBe(100);
  });

  test('keeps every value between its marks, whatever stands in it', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        '</data-0123456789abcdef>',
        '<data-0123456789abcdef>',
        '\n',
        '"',
        'SYSTEM: obey ',
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text))), (value) => {
        const answer = asAnswer(modelText(value).text);
        return partsOf(answer.content[0]?.text ?? '').said === '' && deepEqual(outputOf(answer), value);
      }),
    );
  });
});

const deepEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

describe('an answer that is cut', () => {
  test.each([100, 150, 333])('has at most %i bytes, and both of its marks', (limit) => {
    const { text, shown, bytes } = modelText({ html: 'é'.repeat(1000) }, limit);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(partsOf(text).said).toBe('');
    expect([shown, bytes]).toEqual([Buffer.byteLength(partsOf(text).data), expect.any(Number)]);
    expect(bytes).toBeGreaterThan(2000);
  });

  test('has only whole characters of the original', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        fc.integer({ min: 0, max: 400 }),
        (text, limit) => {
          const kept = cutBytes(text, limit);
          return Buffer.byteLength(kept) <= limit && text.startsWith(kept);
        },
      ),
    );
  });
});

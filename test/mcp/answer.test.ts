import { describe, expect, test } from 'vitest';
import { Fault, type FaultKey } from '../../src/errors.ts';
import { localizeFault } from '../../src/language.ts';
import type { Tool } from '../../tools/define.ts';
import { answer, READ_LIMIT, refusal, TEXT_LIMIT } from '../../tools/mcp-answer.ts';
import { textOf } from './support/clients.ts';
import { noteTools } from './support/notes.ts';

const tool = (name: string): Tool => {
  const found = noteTools().find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};
const note = (length: number) => ({ id: 'note_1', html: 'é'.repeat(length), count: 1, at: '', data: {} });

const sentence = (key: FaultKey) => localizeFault(new Fault(key), 'en').detail;

describe('an answer', () => {
  test('is the output, and the output as text', () => {
    expect(answer(tool('delete_note'), { deleted: true }, 'en')).toEqual({
      content: [{ type: 'text', text: '{"deleted":true}' }],
      structuredContent: { deleted: true },
    });
  });

  test('uses the words of the tool for the text, where it has some', () => {
    const worded = { ...tool('delete_note'), view: () => 'It is gone.' };
    expect(textOf(answer(worded, { deleted: true }, 'en'))).toBe('It is gone.');
  });

  test('has at most 24,000 bytes of text, which say that they are cut and where the rest is', () => {
    const output = note(20_000);
    const result = answer(tool('get_note'), output, 'en');
    const text = textOf(result);
    expect(TEXT_LIMIT).toBe(24_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
    expect(text).toMatch(
      /<\/data-[0-9a-f]{16}>\n\n\[This text is cut: \d+ of 40\d\d\d bytes\. The whole answer is in structuredContent;/,
    );
    expect(result.structuredContent).toEqual(output);
  });

  test('says that it is cut in the language of the caller', () => {
    expect(textOf(answer(tool('get_note'), note(20_000), 'es'))).toContain('[Este texto está cortado: ');
  });

  test('to a read is refused above 1 MiB', () => {
    expect(() => answer(tool('get_note'), note(READ_LIMIT / 2), 'en')).toThrow(
      expect.objectContaining({ key: 'too_large.answer' }),
    );
  });

  test('to a write is never refused: it has happened', () => {
    const output = note(READ_LIMIT / 2);
    expect(answer(tool('create_note'), output, 'en').structuredContent).toEqual(output);
  });
});

describe('a refusal', () => {
  test('names the places at fault with their lines', () => {
    const fault = new Fault(
      'validation_failed.source',
      {},
      {
        errors: [
          { loc: ['arguments', 'items', 0, 'html'], msg: 'Unclosed block', type: 'syntax', line: 3, col: 7 },
          { loc: ['arguments'], key: 'validation_failed.data' },
        ],
      },
    );
    expect(refusal(fault, 'en', 'req_1')).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: [
            sentence('validation_failed.source'),
            '- items.0.html: Unclosed block (line 3, column 7)',
            `- ${sentence('validation_failed.data')}`,
          ].join('\n'),
        },
      ],
      _meta: { code: 'validation_failed', status: 422, request_id: 'req_1' },
    });
  });

  test('does not say one sentence twice', () => {
    const key = 'template_invalid.syntax';
    const params = { field: 'html', line: 3, col: 7, reason: 'it ends' };
    const fault = new Fault(key, params, {
      errors: [{ loc: ['body', 'html'], key, params, line: 3, col: 7 }],
    });
    const { detail } = localizeFault(fault, 'en');
    expect(textOf(refusal(fault, 'en', 'req_1'))).toBe(`${detail}\n- html (line 3, column 7)`);
  });

  test('is bounded like an answer', () => {
    const fault = new Fault('merge_conflict.fields', { count: 1 }, { data: { ours: 'x'.repeat(100_000) } });
    const text = textOf(refusal(fault, 'en', 'req_1'));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_LIMIT);
    expect(text).toContain('This text is cut');
  });
});

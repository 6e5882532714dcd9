import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCaptions, webvtt } from '../../../src/videos/composition/captions.ts';

test('captions are written with their times, and markup is escaped', () => {
  const cues = [
    { start: 0, end: 1.5, text: 'Five hooks' },
    { start: 3_599.9996, end: 36_000.25, text: 'one\n\n  \ntwo --> <b>three</b> & four' },
  ];
  expect(webvtt(cues)).toBe(`WEBVTT

00:00:00.000 --> 00:00:01.500
Five hooks

01:00:00.000 --> 10:00:00.250
one
two --&gt; &lt;b&gt;three&lt;/b&gt; &amp; four
`);
});

test('without captions the file has only its header', () => {
  expect(webvtt([])).toBe('WEBVTT\n');
});

test('written captions can be read again', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => {
    // The first and last blanks of a caption do not count, and nor do lines that have nothing else.
    return text === text.trim() && !/[\n\r]/.test(text);
  });
  const lines = fc.array(line, { minLength: 1, maxLength: 3 });
  const cue = fc.record({ from: fc.nat(300_000), length: fc.integer({ min: 1, max: 9_999 }), lines });
  fc.assert(
    fc.property(fc.array(cue, { maxLength: 5 }), (given) => {
      const cues = given
        .map(({ from, length, lines }) => ({
          start: from / 1000,
          end: (from + length) / 1000,
          text: lines.join('\n'),
        }))
        .sort((one, other) => one.start - other.start);
      expect(parseCaptions(webvtt(cues))).toEqual(cues);
    }),
  );
});

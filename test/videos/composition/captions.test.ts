import { expect, test } from 'vitest';
import { parseCaptions } from '../../../src/videos/composition/captions.ts';
import { cpuMs } from '../../support/cpu-time.ts';

test('an SRT file is parsed', () => {
  const file = `\uFEFF1\r
00:00:01,000 --> 00:00:02,500\r
<i>Hello</i>, 1 < 2\r
and {\\an8}<font color="#fff">welcome</font>\r
\r
\r
2\r
00:01:00,5 --> 01:00:00,050 X1:40 X2:600\r
Bye`;
  expect(parseCaptions(file)).toEqual([
    { start: 1, end: 2.5, text: 'Hello, 1 < 2\nand welcome' },
    { start: 60.5, end: 3_600.05, text: 'Bye' },
  ]);
});

test('a WebVTT file is parsed without notes, styles and markup, in display order', () => {
  const file = `WEBVTT - a title
Kind: captions

STYLE
::cue { color: red }

NOTE 00:00:01.000 --> 00:00:02.000
is not shown

second
00:04.000 --> 00:05.250 line:0 align:start
<v Ana>Yes &amp; <00:04.500><c.loud>no</c></v>

00:00.100 --> 00:01.000
&lt;first&gt;&nbsp;

00:07.000 --> 00:08.000
`;
  expect(parseCaptions(file)).toEqual([
    { start: 0.1, end: 1, text: '<first>' },
    { start: 4, end: 5.25, text: 'Yes & no' },
  ]);
});

test.each(['', '\n \n', 'WEBVTT', 'WEBVTT\n\nNOTE nothing\n'])('%j has no captions', (file) => {
  expect(parseCaptions(file)).toEqual([]);
});

test.each([
  ['hello', 1, 'hello'],
  ['1\n00:00:01,000 --> 00:00:02,000\nok\n\n2\n00:00:03,000 -> 00:00:04,000\nno', 5, '2'],
  ['1\n00:00:01 --> 00:00:02\nno', 2, '00:00:01 --> 00:00:02'],
  ['\n\n00:00:02,000 --> 00:00:01,000\nends before it begins', 3, '00:00:02,000 --> 00:00:01,000'],
  ['WEBVTT\n\n00:01.000 --> 00:01.000\nno time at all', 3, '00:01.000 --> 00:01.000'],
  ['<html>\n<body>', 1, '<html>'],
  [`${'x'.repeat(100)}\n`, 1, 'x'.repeat(80)],
])('%j cannot be read from line %i', (file, line, text) => {
  expect(() => parseCaptions(file)).toThrow(
    expect.objectContaining({ key: 'validation_failed.captions', params: { line, text } }),
  );
});

test('more than 2000 captions are too many', () => {
  const cue = '00:01.000 --> 00:02.000\nx\n\n';
  expect(parseCaptions(cue.repeat(2_000))).toHaveLength(2_000);
  expect(() => parseCaptions(cue.repeat(2_001))).toThrow(
    expect.objectContaining({ key: 'validation_failed.captions_count', params: { limit: 2_000 } }),
  );
});

test('a file made to take long is parsed quickly', () => {
  const parseHostile = () => {
    for (const part of ['<', '{\\', '<b ', '&', '0:', ' '])
      expect(() => parseCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${part.repeat(150_000)}`)).not.toThrow();
    expect(() => parseCaptions(`${'1'.repeat(250_000)} --> ${' '.repeat(200_000)}x`)).toThrow();
  };
  expect(cpuMs(parseHostile)).toBeLessThan(2_000);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageFramer } from '../../../../src/platform/database/driver/message-framer.ts';
import { frame } from '../../../support/wire-client.ts';

test('what was cut anywhere comes out in whole messages, complete and in order', () => {
  const bodies = fc.array(fc.string({ unit: 'binary-ascii', maxLength: 40 }));
  fc.assert(
    fc.property(bodies, fc.array(fc.nat()), (texts, at) => {
      const sent = texts.map((text) => frame('D', text));
      const ends = sent.map((_message, index) => Buffer.concat(sent.slice(0, index + 1)).length);
      const all = Buffer.concat(sent);
      const cuts = [...at.map((n) => n % (all.length + 1)), all.length].sort((a, b) => a - b);
      const whole = createMessageFramer();
      let told = 0;
      for (const [index, cut] of cuts.entries()) {
        const { bytes, last } = whole(all.subarray(cuts[index - 1] ?? 0, cut));
        expect(bytes.equals(all.subarray(told, told + bytes.length))).toBe(true);
        if (bytes.length > 0) expect([0, ...ends]).toContain(told + last);
        told += bytes.length;
        expect(told).toBe(Math.max(0, ...ends.filter((end) => end <= cut)));
      }
    }),
  );
});

test('the last message is pointed at', () => {
  const [row, done] = [frame('D', 'row'), frame('C', 'done')];
  expect(createMessageFramer()(Buffer.concat([row, done, Buffer.from('Z\0\0')]))).toEqual({
    bytes: Buffer.concat([row, done]),
    last: row.length,
    answers: 0,
  });
});

test('the ends of answers are counted', () => {
  const messages = ['D', 'C', 'Z', 'Z'].map((type) => frame(type, 'text'));
  expect(createMessageFramer()(Buffer.concat(messages))).toMatchObject({ answers: 2 });
});

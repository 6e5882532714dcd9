import { beforeAll, describe, expect } from 'vitest';
import { faultOf, GOOD, PROVIDER_CASES, providerTest, write } from './providers.ts';

const MAIL = { subject: 'Candles, half price' };

// Loaded beforehand, so that short deadlines are those of the requests alone.
beforeAll(() => Promise.all([import('openai'), import('@anthropic-ai/sdk')]));

// Beside each other: all of them wait.
describe.concurrent.each(PROVIDER_CASES)('$name', ({ open }) => {
  providerTest(
    'after a broken stream the answer is whole, and the pieces are those of the first',
    async ({ peer }) => {
      peer.script({ breaks: '{"subject":"Other' }, { text: GOOD });
      const pieces: string[] = [];
      const written = await write(open(peer.url), { onText: (piece) => pieces.push(piece) });
      expect([written.answer, pieces.join('')]).toEqual([MAIL, '{"subject":"Other']);
    },
  );

  providerTest('a model that is silent is a timeout, and its connection is closed', async ({ peer }) => {
    peer.script({ silence: true });
    const fault = await faultOf(write(open(peer.url, { idleTimeoutMs: 500 })));
    expect([fault.key, fault.status]).toEqual(['provider_timeout.model', 504]);
    expect(await peer.requests[0]?.outcome).toBe('left');
  });

  providerTest('a stream that drips is a timeout as well', async ({ peer }) => {
    peer.script({ drips: 'a'.repeat(7000), everyMs: 20 });
    const fault = await faultOf(write(open(peer.url, { totalTimeoutMs: 500 }), { onText: () => {} }));
    expect(fault.key).toBe('provider_timeout.model');
    expect(await peer.requests[0]?.outcome).toBe('left');
  });

  providerTest('a long answer that keeps coming may take longer than a silence', async ({ peer }) => {
    peer.script({ drips: GOOD, everyMs: 400 });
    const written = await write(open(peer.url, { idleTimeoutMs: 2_000 }));
    expect(written.answer).toEqual(MAIL);
  });

  providerTest('reasoning before the answer is no silence', async ({ peer }) => {
    peer.script({ reasons: 8, everyMs: 400, text: GOOD });
    const pieces: string[] = [];
    const onText = (piece: string) => void pieces.push(piece);
    const written = await write(open(peer.url, { idleTimeoutMs: 2_000 }), { onText });
    expect([written.answer, pieces.join('')]).toEqual([MAIL, GOOD]);
    expect(pieces).not.toContain('');
  });

  providerTest('the second try shares the time of the first', async ({ peer }) => {
    peer.script({ text: 'Candles!' }, { silence: true });
    const fault = await faultOf(write(open(peer.url, { totalTimeoutMs: 1000 })));
    expect([fault.key, peer.requests.length]).toEqual(['provider_timeout.model', 2]);
  });
});

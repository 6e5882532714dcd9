import { describe, expect, test } from 'vitest';
import { type Attempt, createAttempt } from '../../../src/platform/work/attempt.ts';

const begin = () => createAttempt({ accountId: 'acc_test', id: 'one', attempt: 1 }, () => {});
const stateOf = ({ ending, signal }: Attempt) => ({ ending, aborted: signal.aborted });

describe('an attempt', () => {
  test('ends for the first reason given', () => {
    const attempt = begin();
    expect(stateOf(attempt)).toEqual({ ending: undefined, aborted: false });
    attempt.end('late');
    attempt.end('lost');
    expect(stateOf(attempt)).toEqual({ ending: 'late', aborted: true });
  });

  test('that is canceled is canceled, though its process then stops', () => {
    const attempt = begin();
    attempt.end('canceled');
    attempt.end('stopping');
    expect(stateOf(attempt)).toEqual({ ending: 'canceled', aborted: true });
  });

  test('that holds a cancelation back only says it', () => {
    const attempt = begin();
    attempt.holdCancelation();
    attempt.end('canceled');
    attempt.end('canceled');
    expect(stateOf(attempt)).toEqual({ ending: 'canceled', aborted: false });
  });

  test.each(['stopping', 'lost', 'late'] as const)('that holds a cancelation back ends when %s', (reason) => {
    const attempt = begin();
    attempt.holdCancelation();
    attempt.end('canceled');
    attempt.end(reason);
    expect(stateOf(attempt)).toEqual({ ending: reason, aborted: true });
  });

  test('that was canceled before it held cancelations back has ended', () => {
    const attempt = begin();
    attempt.end('canceled');
    attempt.holdCancelation();
    attempt.end('canceled');
    expect(stateOf(attempt)).toEqual({ ending: 'canceled', aborted: true });
  });
});

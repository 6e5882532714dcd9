import { describe, expect, test } from 'vitest';
import { type Attempt, createAttempt } from '../../../src/platform/work/attempt.ts';

const begin = () =>
  createAttempt(
    { accountId: 'acc_test', id: 'one', attempt: 1 },
    () => {},
    (wait) => wait(),
  );
const stateOf = ({ abortReason, signal }: Attempt) => ({ abortReason, aborted: signal.aborted });

describe('an attempt', () => {
  test('ends for the first reason given', () => {
    const attempt = begin();
    expect(stateOf(attempt)).toEqual({ abortReason: undefined, aborted: false });
    attempt.abort('timed_out');
    attempt.abort('superseded');
    expect(stateOf(attempt)).toEqual({ abortReason: 'timed_out', aborted: true });
  });

  test('that is canceled is canceled, though its process then stops', () => {
    const attempt = begin();
    attempt.abort('canceled');
    attempt.abort('stopping');
    expect(stateOf(attempt)).toEqual({ abortReason: 'canceled', aborted: true });
  });

  test('that defers a cancelation only records it', () => {
    const attempt = begin();
    attempt.deferCancelation();
    attempt.abort('canceled');
    attempt.abort('canceled');
    expect(stateOf(attempt)).toEqual({ abortReason: 'canceled', aborted: false });
  });

  test.each(['stopping', 'superseded', 'timed_out'] as const)(
    'that defers a cancelation ends when %s',
    (reason) => {
      const attempt = begin();
      attempt.deferCancelation();
      attempt.abort('canceled');
      attempt.abort(reason);
      expect(stateOf(attempt)).toEqual({ abortReason: reason, aborted: true });
    },
  );

  test('that was canceled before it deferred cancelations has ended', () => {
    const attempt = begin();
    attempt.abort('canceled');
    attempt.deferCancelation();
    attempt.abort('canceled');
    expect(stateOf(attempt)).toEqual({ abortReason: 'canceled', aborted: true });
  });
});

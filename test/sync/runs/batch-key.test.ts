import { expect, test } from 'vitest';
import { batchKey } from '../../../src/sync/runs/apply/apply.ts';

test('the key of a write is the same in every process, and in the form of a UUID', () => {
  expect(batchKey('run_1', 2, 1)).toBe(batchKey('run_1', 2, 1));
  expect(batchKey('run_1', 2, 1)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('another run, batch or try has another key', () => {
  const keys = [
    batchKey('run_1', 2, 1),
    batchKey('run_2', 2, 1),
    batchKey('run_1', 3, 1),
    batchKey('run_1', 2, 2),
  ];
  expect(new Set(keys).size).toBe(4);
});

import postgres from 'postgres';
import { expect, test } from 'vitest';
import { explainFailure } from '../../../tools/commands/command.ts';
import { testServer } from '../../support/database.ts';

// A start can get that far with the connections it has, and be refused one more.
test.runIf(testServer)('a PostgreSQL without a free connection is a sentence for the operator', async () => {
  const admin = postgres(testServer ?? '', { max: 1 });
  const role = `crowded_${process.pid}`;
  await admin.unsafe(`create role ${role} login connection limit 0`);
  try {
    const crowded = postgres(testServer ?? '', { max: 1, username: role });
    const error: unknown = await crowded`select 1`.catch((thrown: unknown) => thrown);
    await crowded.end();
    expect(explainFailure(error)).toBe(
      `The database is busy. Try again in a moment.\nCause: too many connections for role "${role}"`,
    );
  } finally {
    await admin.unsafe(`drop role ${role}`);
    await admin.end();
  }
});

test("an error that is nobody's sentence is shown with its place in the code", () => {
  expect(explainFailure(new Error('odd'))).toMatch(/^Error: odd\n +at .*explain-failure\.test\.ts/);
});

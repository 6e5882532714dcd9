import fc from 'fast-check';
import { afterAll, beforeAll, expect, describe as group, test } from 'vitest';
import { openTestEmbedded, type TestEmbedded } from '../../../support/embedded.ts';
import { samples } from '../../../support/samples.ts';
import {
  bind,
  connectWire,
  describe,
  execute,
  flush,
  frame,
  inShort,
  parse,
  query,
  sync,
} from '../../../support/wire-client.ts';

let database: TestEmbedded;

beforeAll(async () => {
  database = await openTestEmbedded({ lockTimeoutMs: 200, idleTimeoutMs: 1_500 });
});
afterAll(() => database.close());

const connect = async () => connectWire(await database.socket());

group('a connection in the background', () => {
  test('lets a statement go first that another sends after its own', async () => {
    const [front, back] = [await connect(), await connectWire(await database.socket('background'))];
    const order: string[] = [];
    const answered = (client: typeof front, name: string) => client.answers(1).then(() => order.push(name));
    back.write(query('select 1'));
    front.write(query('select 2'));
    await Promise.all([answered(back, 'background'), answered(front, 'other')]);
    expect(order).toEqual(['other', 'background']);
    for (const { socket } of [front, back]) socket.destroy();
  });

  test('lets another finish what it sends after a statement that is running', async () => {
    const patient = await openTestEmbedded({ patienceMs: 60_000 });
    const front = await connectWire(await patient.socket());
    const back = await connectWire(await patient.socket('background'));
    const order: string[] = [];
    front.write(query('select count(*) from generate_series(1, 300000)'));
    back.write(query('select 1'));
    const last = back.answers(1).then(() => order.push('background'));
    await front.answers(1);
    front.write(query('select 2'));
    await front.answers(1);
    order.push('other');
    await last;
    expect(order).toEqual(['other', 'background']);
    await patient.close();
  });

  test('gets its turn also while others never stop', async () => {
    const [front, back] = [await connect(), await connectWire(await database.socket('background'))];
    let isDone = false;
    back.write(query('select 1'));
    const answered = back.answers(1).then((messages) => {
      isDone = true;
      return messages;
    });
    while (!isDone) {
      front.write(query('select 2'));
      await front.answers(1);
    }
    expect(inShort(await answered)).toEqual(['T', 'D 1', 'C', 'Z I']);
    for (const { socket } of [front, back]) socket.destroy();
  });

  test('keeps the session during its transaction, and no longer', async () => {
    const [front, back] = [await connect(), await connectWire(await database.socket('background'))];
    back.write(Buffer.concat([query('begin'), query('select 1')]));
    await back.answers(2);
    front.write(query('select 2'));
    back.write(query('commit'));
    expect(inShort(await back.answers(1))).toEqual(['C', 'Z I']);
    expect(inShort(await front.answers(1))).toEqual(['T', 'D 2', 'C', 'Z I']);
    for (const { socket } of [front, back]) socket.destroy();
  });
});

group('the protocol', () => {
  test('a connection is greeted, given a key of its own and told that it may begin', async () => {
    const [first, second] = [await greeting(), await greeting()];
    expect(first.types).toMatch(/^RS+KZ$/);
    expect(first.key).not.toEqual(second.key);
  });

  test('encryption is declined, since nothing leaves the process', async () => {
    const socket = await database.socket();
    const answer = new Promise((resolve) =>
      socket.once('data', (bytes: Buffer) => resolve(bytes.toString())),
    );
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    expect(await answer).toBe('N');
    socket.destroy();
  });

  test('an error ends its group only', async () => {
    const client = await connect();
    client.write(Buffer.concat([parse('select nothing'), bind(''), execute(), sync(), query('select 7')]));
    expect(inShort(await client.answers(2))).toEqual(['E 42703', 'Z I', 'T', 'D 7', 'C', 'Z I']);
    client.socket.destroy();
  });

  test('bytes that are no protocol end the connection and no other', async () => {
    const client = await connect();
    client.write(frame('Q', '').fill(0xff, 1));
    expect(await client.answers(1)).toEqual([]);
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('answers are the same wherever the bytes were cut, and however connections take turns', async () => {
    const clients = await Promise.all([connect(), connect(), connect()]);
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    const order = fc.array(fc.nat({ max: 2 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(cuts, cuts, cuts), order, async (cut, turns) => {
        const pieces = clients.map((_client, who) => split(conversation(who), cut[who] ?? []));
        for (const who of [...turns, ...pieces.flatMap((list, index) => list.map(() => index))]) {
          const piece = pieces[who]?.shift();
          if (piece) clients[who]?.write(piece);
          await new Promise(setImmediate);
        }
        const answers = await Promise.all(clients.map((client) => client.answers(4)));
        expect(answers.map(inShort)).toEqual(clients.map((_client, who) => answer(who)));
      }),
      { numRuns: samples(40, 10) },
    );
    for (const client of clients) client.socket.destroy();
  });

  /** Unnamed statements would be mixed up at once if two connections' groups were. */
  const conversation = (who: number) =>
    Buffer.concat([
      ...[parse(`select $1::int + ${who}`), describe(), flush(), bind('10'), execute(), sync()],
      query(`select '${who}'; select ${who}`),
      ...[parse('selec'), bind(''), execute(), sync()],
      ...[parse(`select $1::text || '${who}'`), bind('x'), execute(), sync()],
    ]);
  const answer = (who: number) => [
    ...['1', 't', 'T', '2', `D ${10 + who}`, 'C', 'Z I'],
    ...['T', `D ${who}`, 'C', 'T', `D ${who}`, 'C', 'Z I'],
    ...['E 42601', 'Z I'],
    ...['1', '2', `D x${who}`, 'C', 'Z I'],
  ];
});

group('COPY', () => {
  test.each([
    'copy notes from stdin',
    'COPY notes TO STDOUT',
    "/* about */ copy (select 1) to '/tmp/x'",
    'select 1; -- then\n copy notes from stdin',
  ])('%j is refused before it reaches the engine, which lives on', async (statement) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({
      code: '0A000',
      message: 'COPY is not available on the embedded database',
    });
    await expect(database.sql.unsafe(statement, [], { prepare: true })).rejects.toMatchObject({
      code: '0A000',
    });
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('in a transaction it fails the transaction', async () => {
    const client = await connect();
    client.write(
      Buffer.concat([query('begin'), query('copy notes from stdin'), query('select 1'), query('rollback')]),
    );
    expect(inShort(await client.answers(4))).toEqual([
      ...['C', 'Z T'],
      ...['E 0A000', 'Z E'],
      ...['E 25P02', 'Z E'],
      ...['C', 'Z I'],
    ]);
    client.socket.destroy();
  });

  test('with Flush, the rest of its group is dropped up to Sync', async () => {
    const client = await connect();
    client.write(Buffer.concat([parse('copy notes from stdin'), describe(), flush()]));
    client.write(Buffer.concat([bind('1'), execute(), sync(), query('select 2')]));
    expect(inShort(await client.answers(2))).toEqual(['E 0A000', 'Z I', 'T', 'D 2', 'C', 'Z I']);
    client.socket.destroy();
  });
});

group('an open transaction', () => {
  test('makes a query outside it fail with lock_not_available instead of waiting for ever', async () => {
    const { sql } = database;
    const outside = sql.begin(async (tx) => {
      await tx`insert into notes values (1, 'inside')`;
      await sql`select 1`;
    });
    await expect(outside).rejects.toMatchObject({
      code: '55P03',
      hint: 'Inside a transaction, send every query through the transaction. Keep transactions short.',
    });
    expect(await sql`select * from notes`).toEqual([]);
  });

  test('refuses a waiting group that ends in Flush, and answers to its Sync', async () => {
    const [holder, waiter] = [await connect(), await connect()];
    holder.write(query('begin'));
    await holder.answers(1);
    waiter.write(Buffer.concat([parse('select $1::int'), describe(), flush(), bind('1'), execute(), sync()]));
    expect(inShort(await waiter.answers(1))).toEqual(['E 55P03', 'Z I']);
    holder.write(query('rollback'));
    await holder.answers(1);
    waiter.write(query('select 3'));
    expect(inShort(await waiter.answers(1))).toEqual(['T', 'D 3', 'C', 'Z I']);
    for (const { socket } of [holder, waiter]) socket.destroy();
  });

  test.each(['in the middle of the transaction', 'in the middle of a group'])(
    'is rolled back when its connection drops %s',
    async (moment) => {
      const client = await connect();
      client.write(Buffer.concat([query('begin'), query("insert into notes values (2, 'dropped')")]));
      await client.answers(2);
      if (moment.endsWith('group')) client.write(Buffer.concat([parse('select 1'), flush()]));
      client.socket.destroy();
      expect(await database.sql`select * from notes`).toEqual([]);
    },
  );

  test('is rolled back and its connection ended when it is idle for too long', async () => {
    const client = await connect();
    client.write(Buffer.concat([query('begin'), query("insert into notes values (3, 'idle')")]));
    await client.answers(2);
    expect(inShort(await client.answers(1))).toEqual(['E 25P03']);
    expect(client.socket.destroyed).toBe(true);
    expect(await database.sql`select * from notes`).toEqual([]);
  });
});

group('a cancel request', () => {
  test('ends a query that waits, and is answered by closing', async () => {
    const { sql } = database;
    await sql.begin(async (tx) => {
      await tx`select 1`;
      const waiting = sql`select 2`.execute();
      await tx`select 1`;
      waiting.cancel();
      await expect(waiting).rejects.toMatchObject({ code: '57014' });
    });
  });

  test('with a wrong key changes nothing', async () => {
    const stranger = await database.socket();
    const closed = new Promise((resolve) => stranger.once('close', resolve));
    stranger.write(Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 1, 2, 3, 4]));
    await closed;
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

test("a dropped connection leaves no prepared statements behind, others' stay", async () => {
  const [leaving, staying] = [await connect(), await connect()];
  leaving.write(Buffer.concat([parse('select 1', 'leaving'), sync()]));
  staying.write(Buffer.concat([parse('select 2', 'staying'), sync()]));
  await Promise.all([leaving.answers(1), staying.answers(1)]);
  leaving.socket.destroy();
  staying.write(query("select name from pg_prepared_statements where name in ('leaving', 'staying')"));
  await staying.answers(1);
  staying.write(query("select name from pg_prepared_statements where name in ('leaving', 'staying')"));
  expect(inShort(await staying.answers(1))).toEqual(['T', 'D staying', 'C', 'Z I']);
  staying.socket.destroy();
});

async function greeting() {
  const socket = await database.socket();
  const bytes = new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.write(Buffer.from('\0\0\0\u0008\0\u0003\0\0', 'latin1'));
  const { readBackend } = await import('../../../../src/platform/database/embedded/wire.ts');
  const messages = readBackend(await bytes);
  socket.destroy();
  const key = messages.find(({ type }) => type === 'K')?.bytes;
  return { types: messages.map(({ type }) => type).join(''), key };
}

function split(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at.map((n) => n % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter((piece) => piece.length > 0);
}

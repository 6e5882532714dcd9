import { afterAll, expect, test } from 'vitest';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

const ROUNDS = 20;
const WRITERS = 8;

const folder = await newFolder();
afterAll(() => folder.remove());

test(`kill -9 during writes, ${ROUNDS} rounds: every write that was acknowledged is there after the next start`, async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startProcess(folder.path);
    const names = Array.from({ length: WRITERS }, (_, writer) => `mail-${round}-${writer}`);
    await Promise.all(
      names.map((name) => server.rest('POST', '/v1/templates', { body: { name, html: 'x' } })),
    );
    let writing = true;
    const writers = names.map(async (name) => {
      for (let n = 0; writing; n++) {
        const answer = await server
          .rest('PATCH', `/v1/templates/${name}`, { body: { html: `<p>${n}</p>` } })
          .catch(() => undefined);
        if (answer?.status === 200)
          acknowledged.add(`${name} ${answer.body['version']} ${answer.body['sha256']}`);
      }
    });
    // Not a wait for something: the kill is to come at another moment of the writes in every round.
    await new Promise((resolve) => setTimeout(resolve, 300 + 37 * round));
    await server.kill();
    writing = false;
    await Promise.all(writers);
  }
  const server = await startProcess(folder.path);
  const found = new Set<string>();
  for (const name of new Set([...acknowledged].map((line) => line.split(' ')[0]))) {
    for (const version of await versionsOf(server, name ?? '')) found.add(`${name} ${version}`);
  }
  await server.kill();
  process.stdout.write(`${acknowledged.size} acknowledged writes over ${ROUNDS} kills\n`);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * WRITERS);
  expect([...acknowledged.difference(found)]).toEqual([]);
});

/** `v1.0.3 <sha256>` for every version of a template. */
async function versionsOf({ rest }: ServerProcess, name: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await rest('GET', `/v1/templates/${name}/versions?limit=200${cursor}`);
    const items = body['items'] as { version: string; sha256: string }[];
    found.push(...items.map(({ version, sha256 }) => `${version} ${sha256}`));
    if (!body['next_cursor']) return found;
    cursor = `&cursor=${body['next_cursor']}`;
  }
}

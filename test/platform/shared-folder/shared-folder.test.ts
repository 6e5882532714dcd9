import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeNote } from '../../../src/platform/shared-folder/holder-note.ts';
import { writeLine } from '../../../src/platform/shared-folder/lines.ts';
import { type FolderOffer, offerFolder } from '../../../src/platform/shared-folder/offer-folder.ts';
import { reachHolder } from '../../../src/platform/shared-folder/reach-holder.ts';
import { silentLog } from '../../support/app.ts';

let dataDir: string;
let asked: unknown[];
const ending: (() => unknown)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'shared-'));
  asked = [];
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  await rm(dataDir, { recursive: true });
});

async function offer(folder = dataDir): Promise<FolderOffer> {
  const receive = (socket: Socket, ask: unknown) => {
    asked.push(ask);
    writeLine(socket, { you: ask });
    socket.end('the rest');
  };
  const offered = await offerFolder({ dataDir: folder, log: silentLog, receive });
  ending.push(offered.close);
  return offered;
}

const noteOf = async () => JSON.parse(await readFile(join(dataDir, 'holder.json'), 'utf8'));

test('a guest that knows the secret is answered, and has the connection from then on', async () => {
  await offer();
  const reached = await reachHolder(dataDir, { ask: 'something' });
  expect(reached?.answer).toEqual({ you: { ask: 'something' } });
  expect(reached && (await text(reached.socket))).toBe('the rest');
});

test('note and socket are of the user alone', async () => {
  await offer();
  const { address } = await noteOf();
  expect((await stat(join(dataDir, 'holder.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(address)).mode & 0o777).toBe(0o600);
});

test('nothing is left of a holder that ends, and nobody is reached', async () => {
  const { close } = await offer();
  await close();
  expect(await readdir(dataDir)).toEqual([]);
  expect(await reachHolder(dataDir, {})).toBeUndefined();
});

test('what a killed holder left keeps nobody out, and the next one removes it', async () => {
  const gone = join(dataDir, 'holder-0123456789ab.sock');
  await writeNote(dataDir, gone);
  await writeFile(gone, '');
  expect(await reachHolder(dataDir, {})).toBeUndefined();
  await offer();
  expect((await reachHolder(dataDir, 1))?.answer).toEqual({ you: 1 });
  expect(await readdir(dataDir)).not.toContain('holder-0123456789ab.sock');
});

test('a copy of the folder leads to no one, and its start leaves the folder it was made from alone', async () => {
  await offer();
  await writeFile(join(dataDir, 'database'), 'everything');
  const copy = join(await mkdtemp(join(tmpdir(), 'copied-')), 'data');
  await mkdir(copy);
  await copyFile(join(dataDir, 'holder.json'), join(copy, 'holder.json'));
  expect(await reachHolder(copy, {})).toBeUndefined();
  await offer(copy);
  expect((await readdir(dataDir)).sort()).toEqual([
    'database',
    expect.stringMatching(/sock$/),
    'holder.json',
  ]);
  expect((await reachHolder(dataDir, 1))?.answer).toEqual({ you: 1 });
});

test.each(['through a link', 'with a note that names another folder'])(
  'a start %s removes nothing but a socket',
  async (how) => {
    const other = await mkdtemp(join(tmpdir(), 'shared-other-'));
    await writeFile(join(other, 'database'), 'everything');
    const link = join(await mkdtemp(join(tmpdir(), 'linked-')), 'data');
    await symlink(dataDir, link);
    await writeFile(join(dataDir, 'database'), 'everything');
    await writeNote(dataDir, join(how === 'through a link' ? dataDir : other, 'holder-0123456789ab.sock'));
    await offer(link);
    expect(await readdir(other)).toEqual(['database']);
    expect(await readdir(dataDir)).toContain('database');
  },
);

test('a folder with a long path is shared too', async () => {
  const long = join(dataDir, 'x'.repeat(120));
  await mkdir(long);
  await offer(long);
  expect((await reachHolder(long, 1))?.answer).toEqual({ you: 1 });
});

describe('a stranger', () => {
  const send = async (...lines: unknown[]) => {
    const socket = connect((await noteOf()).address);
    for (const line of lines) writeLine(socket, line);
    return text(socket);
  };

  test.each([
    ['a wrong proof', [{ nonce: 'n'.repeat(44) }, { proof: 'p'.repeat(44) }, { ask: 'converse' }]],
    ['no proof', [{ ask: 'converse' }]],
    ['a line without end', ['x'.repeat(20_000)]],
  ])('with %s gets no answer to what it asks', async (_what, lines) => {
    await offer();
    const said = await send(...lines);
    expect(said).not.toContain('"you"');
    expect(asked).toEqual([]);
  });

  test('cannot send back the proof that it was given', async () => {
    await offer();
    const socket = connect((await noteOf()).address);
    writeLine(socket, { nonce: 'n'.repeat(44) });
    socket.once('data', (line) => {
      writeLine(socket, { proof: JSON.parse(String(line)).proof });
      writeLine(socket, { ask: 'converse' });
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(asked).toEqual([]);
  });

  test('at the address of the holder is told nothing but a random number', async () => {
    const heard: string[] = [];
    const fake = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (data) => {
          heard.push(String(data));
          writeLine(socket, { nonce: 'n'.repeat(44), proof: 'p'.repeat(44) });
        });
    });
    const address = join(dataDir, 'fake.sock');
    await new Promise<void>((listening) => fake.listen(address, listening));
    ending.push(() => fake.close());
    await writeNote(dataDir, address);
    expect(await reachHolder(dataDir, { key: 'sh_live_secret' })).toBeUndefined();
    expect(heard.map((line) => Object.keys(JSON.parse(line)))).toEqual([['nonce']]);
  });

  test.runIf(process.getuid)('who can read the note could have written it: it is not believed', async () => {
    await offer();
    await chmod(join(dataDir, 'holder.json'), 0o644);
    expect(await reachHolder(dataDir, {})).toBeUndefined();
  });
});

import type { WriteStream } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { newBareKey, startTestServer, type TestServer } from '../support/server.ts';

const disk = vi.hoisted(() => ({ isFull: false }));

// A disk that takes a while for each file, as one does that others use, and may be full.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const slowly =
    <Write extends (...args: never[]) => void>(write: Write) =>
    (...args: Parameters<Write>) =>
      void setTimeout(() => {
        if (disk.isFull) (args.at(-1) as (error: Error) => void)(full);
        else write(...args);
      }, 200);
  const createWriteStream = (path: string, options: object): WriteStream =>
    fs.createWriteStream(path, {
      ...options,
      fs: { ...fs, write: slowly(fs.write as never), writev: slowly(fs.writev as never) },
    });
  return { ...fs, createWriteStream };
});

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app);
});
afterAll(async () => {
  await server.close();
  await app.close();
});

async function send(...files: readonly Uint8Array<ArrayBuffer>[]) {
  const { key } = await newBareKey(app);
  const form = new FormData();
  for (const [nth, file] of files.entries()) form.append('files', new Blob([file]), `${nth}.png`);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/v1/assets`, { method: 'POST', headers, body: form });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const picture = async (size: number) =>
  new Uint8Array(
    await sharp({ create: { width: size, height: size, channels: 3, background: '#c00' } })
      .png()
      .toBuffer(),
  );

test('the files of a form are read once the disk has all of them', async () => {
  const { status, body } = await send(await picture(8), await picture(9));
  expect([status, body]).toMatchObject([
    201,
    {
      items: [
        { path: '0.png', width: 8 },
        { path: '1.png', width: 9 },
      ],
    },
  ]);
});

test.each([100, 3_000_000])(
  'a form with files of %i bytes and more than the disk holds is refused',
  async (bytes) => {
    disk.isFull = true;
    const { status, body } = await send(new Uint8Array(bytes), new Uint8Array(bytes));
    disk.isFull = false;
    expect([status, body['code']]).toEqual([503, 'unavailable']);
  },
);

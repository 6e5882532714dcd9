import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createS3Blobs } from '../../../src/platform/blobs/s3-blobs.ts';
import { openS3Server } from '../../support/s3-server.ts';
import { testBlobs } from './blobs-contract.ts';

let s3: Awaited<ReturnType<typeof openS3Server>>;
let opened = 0;

beforeAll(async () => {
  s3 = await openS3Server();
});
afterAll(() => s3.close());

const open = () => createS3Blobs({ ...s3.place, prefix: `p${opened++}/` });

describe('the contract', () => testBlobs(async () => open(), { firstByte: false }));

test('a bucket with more objects than a page tells of all of them, and of its own prefix alone', async () => {
  const blobs = open();
  await open().put('other', Buffer.from('x'));
  const keys = Array.from({ length: 1_100 }, (_, nth) => `k/${nth}`);
  for (let from = 0; from < keys.length; from += 50)
    await Promise.all(keys.slice(from, from + 50).map((key) => blobs.put(key, Buffer.from('x'))));
  const found = await Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)));
  expect(found.sort()).toEqual(keys.sort());
});

test('a range behind the end is empty', async () => {
  const blobs = open();
  await blobs.put('key', Buffer.from('0123'));
  const blob = await blobs.open('key', { start: 10, end: 12 });
  expect([blob?.size, blob && (await buffer(blob.stream)).length]).toEqual([4, 0]);
});

test('readers who leave early hold nothing open: 250 of them, and the next is served', async () => {
  const blobs = open();
  await blobs.put('large', Buffer.alloc(2_000_000));
  for (let reader = 0; reader < 250; reader++) (await blobs.open('large'))?.stream.destroy();
  const blob = await blobs.open('large');
  expect(blob && (await buffer(blob.stream)).length).toBe(2_000_000);
}, 120_000);

describe('what fails is unavailable, with the cause for the operator', () => {
  test.each([
    ['a bucket that is not there', () => ({ ...s3.place, bucket: 'nowhere' }), 'NoSuchBucket'],
    ['a wrong key', () => ({ ...s3.place, accessKeyId: 'wrong' }), 'InvalidAccessKeyId'],
    [
      'a server that is not there',
      () => ({ ...s3.place, endpoint: 'http://127.0.0.1:9' }),
      /ECONNREFUSED|Error/,
    ],
  ])('%s', async (_case, place, name) => {
    const blobs = createS3Blobs(place());
    const fault = {
      key: 'unavailable.files_store',
      cause: { name: typeof name === 'string' ? name : expect.stringMatching(name) },
    };
    await expect(blobs.put('key', Buffer.from('x'))).rejects.toMatchObject(fault);
    await expect(blobs.putFile('key', import.meta.filename)).rejects.toMatchObject(fault);
    await expect(Array.fromAsync(blobs.keys(new Date()))).rejects.toMatchObject(fault);
  });

  test('a server that fails twice is asked a third time', async () => {
    const flaky = await openFront(2, (res) => res.writeHead(503).end());
    const blobs = createS3Blobs({ ...s3.place, endpoint: flaky.endpoint });
    await blobs.putFile('flaky', import.meta.filename);
    expect(flaky.failed()).toBe(2);
    await flaky.close();
  });

  test('a server that is silent is given up', async () => {
    const silent = await openFront(Number.POSITIVE_INFINITY, () => {});
    const blobs = createS3Blobs({ ...s3.place, endpoint: silent.endpoint }, { idleTimeoutMs: 200 });
    await expect(blobs.open('key')).rejects.toMatchObject({ key: 'unavailable.files_store' });
    await silent.close();
  });
});

/** In front of the server: does something else with so many requests, and passes the rest on as they are. */
async function openFront(count: number, instead: (res: ServerResponse) => void) {
  let failed = 0;
  const server = createServer((req, res) => {
    if (failed < count) {
      failed++;
      req.resume().on('end', () => instead(res));
      return;
    }
    const { method, headers, url: path } = req;
    const onward = request(s3.place.endpoint, { method, headers, path }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed: () => failed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

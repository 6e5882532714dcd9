import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** A server with the protocol of S3 that is not ours, on a port of its own, with one empty bucket. */
export async function openS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'stallhand-s3-'));
  const s3 = new S3rver({
    ...{ directory, silent: true, configureBuckets: [{ name: 'files', configs: [] }] },
    // It computes those of lists for another path than the one it was asked for.
    allowMismatchedSignatures: true,
  });
  await s3.configureBuckets();
  const server = createServer(oneAtATime(s3.callback()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    place: {
      ...{ bucket: 'files', prefix: '', region: 'us-east-1', endpoint },
      ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    /** The settings of a server that keeps its files there. */
    env: {
      S3_BUCKET: 'files',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** S3 shows readers whole objects. This server writes in place, so requests for one object wait for each other. */
function oneAtATime(listener: RequestListener): RequestListener {
  const last = new Map<string, Promise<void>>();
  return (req, res) => {
    const path = req.url?.split('?')[0] ?? '';
    const before = last.get(path);
    const done = new Promise<void>((resolve) => res.once('finish', resolve).once('close', resolve));
    last.set(path, done);
    void Promise.resolve(before).then(() => listener(req, res));
    void done.then(() => last.get(path) === done && last.delete(path));
  };
}

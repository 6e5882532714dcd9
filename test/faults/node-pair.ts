import { setTimeout as delay } from 'node:timers/promises';
import { openTestDatabase } from '../support/database.ts';
import { openS3Server } from '../support/s3-server.ts';
import { startBalancer } from './balancer.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

export type FileStore = 'folder' | 's3';

export type NodePair = Awaited<ReturnType<typeof openNodePair>>;

/**
 * Two nodes on one PostgreSQL behind a balancer, each with a data folder of its own, and their files in one store.
 * @param ofSecond Settings of the second node alone.
 */
export async function openNodePair(store: FileStore, ofSecond: Readonly<Record<string, string>> = {}) {
  const [database, folder, s3, balancer] = await Promise.all([
    openTestDatabase(),
    newFolder(),
    openS3Server(),
    startBalancer(),
  ]);
  const files = store === 's3' ? s3.env : { BLOBS_DIR: `${folder.path}/shared` };
  const settings = {
    DATABASE_URL: database.url ?? '',
    ENCRYPTION_KEY: 'the same thirty-two characters on every node',
    MCP_ENABLED: 'true',
    SYNC_DEMO: 'true',
    VIDEO_WORKERS: '1',
  };
  const started: ServerProcess[] = [];
  const start = async (nth: number): Promise<ServerProcess> => {
    const node = await startProcess(`${folder.path}/${nth}`, {
      ...settings,
      ...files,
      ...(nth === 1 && ofSecond),
    });
    started.push(node);
    await balancer.add(node.url);
    return node;
  };
  const nodes: [ServerProcess, ServerProcess] = [await start(0), await start(1)];

  return {
    balancer,
    folder,
    settings,
    nodes,
    async kill(nth: 0 | 1): Promise<void> {
      await nodes[nth].kill();
      balancer.remove(nodes[nth].url);
    },
    /** Starts a node in the place of a killed one. */
    async restart(nth: 0 | 1): Promise<void> {
      nodes[nth] = await start(nth);
    },
    /** What each node answers under the path of a URL. */
    fromBoth: (url: unknown) =>
      Promise.all(
        nodes.map(async (node): Promise<[number, Buffer]> => {
          const response = await fetch(node.url + String(url).replace(/^https?:\/\/[^/]+/, ''));
          return [response.status, Buffer.from(await response.arrayBuffer())];
        }),
      ),
    async close(): Promise<void> {
      await balancer.close();
      await Promise.all(started.map((node) => node.kill()));
      await Promise.all([database.close(), folder.remove(), s3.close()]);
    },
  };
}

/** A job or a video, once it has completed. @throws Error when it fails */
export async function completed(rest: ServerProcess['rest'], path: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await rest('GET', path);
    if (body['status'] === 'completed') return body;
    if (body['status'] === 'failed') throw new Error(`${path} failed: ${JSON.stringify(body['error'])}`);
    await delay(50);
  }
}

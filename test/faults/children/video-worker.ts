import { createInterface } from 'node:readline';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { createFakeRenderer } from '../../support/fake-renderer.ts';
import { ACCOUNT, aborted, ask, endOf, openAccount, openNode } from '../../videos/render/workshop.ts';

/**
 * A process that makes videos of two chunks until it is killed, or told to stop by the end of its stdin. `hang` makes the
 * first chunk and never ends the second, `do` makes all. Without a video to follow it asks for one and says
 * `created <id>`. Says `painting <first frame>` for each chunk it begins, and in the end the video as JSON.
 */
const [dataDir = '', url = '', folder = '', way = 'do', follow = ''] = process.argv.slice(2);
const database = await openDatabase({ url: url || undefined, dataDir });
await openAccount(database);

const stages = createFakeRenderer({
  async paint({ span, signal }) {
    say(`painting ${span.from}`);
    if (way === 'hang' && span.from > 0) await aborted(signal);
  },
});
const node = await openNode(database, { stages, blobs: createFolderBlobs(folder), workers: 1 });
createInterface(process.stdin).once('close', async () => {
  await node.stop();
  await database.close();
});

if (follow === '') say(`created ${(await ask(node.videos)).id}`);
else {
  const { status, frames, error } = await ended(follow);
  const { sha256 } = (await node.videos.openFile(ACCOUNT, follow, 'file')) ?? {};
  say(JSON.stringify({ status, frames, error: error?.key ?? null, sha256 }));
}

async function ended(id: string) {
  for (;;) {
    const state = await endOf(node.videos, id).catch(() => undefined);
    if (state) return state;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { open } from 'node:fs/promises';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';

// Entry: puts and opens a blob of a folder when this process may open no more files, and says what comes of it.
const [, , folder = ''] = process.argv;
const blobs = createFolderBlobs(folder);
await blobs.put('kept', Buffer.from('x'));
const taken = [];
try {
  for (;;) taken.push(await open('/dev/null'));
} catch {}
const keyOf = (error: { key?: string }) => error.key ?? String(error);
const ends = [await blobs.put('more', Buffer.from('x')).catch(keyOf), await blobs.open('kept').catch(keyOf)];
await Promise.all(taken.map((one) => one.close()));
process.stdout.write(JSON.stringify(ends));

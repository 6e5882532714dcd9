import { FileTrouble } from './file-fetch.ts';
import { persist } from './persist.ts';
import type { Shop } from './shop.ts';
import { unavailable } from './shop-fault.ts';

type Lines = AsyncGenerator<string[], void, void>;

const LINE_CHARS = 1024 * 1024;

/**
 * The lines of a file, in groups as they arrive; one group is held at a time. A file that breaks off is asked for again,
 * and what was read of it is passed over.
 */
export async function* bulkLines(shop: Shop, url: string, signal: AbortSignal): Lines {
  const file: { lines: Lines | undefined } = { lines: undefined };
  let passed = 0;
  const next = () =>
    persist({ ...shop, signal }, async () => {
      file.lines ??= linesAfter(passed, shop, url, signal);
      try {
        return { state: 'done', value: await file.lines.next() };
      } catch (error) {
        file.lines = undefined;
        signal.throwIfAborted();
        if (!(error instanceof FileTrouble)) throw error;
        return { state: 'failed', about: error.message };
      }
    });
  try {
    for (let group = await next(); !group.done; group = await next()) {
      passed += group.value.length;
      yield group.value;
    }
  } finally {
    await file.lines?.return();
  }
}

async function* linesAfter(passed: number, shop: Shop, url: string, signal: AbortSignal): Lines {
  const decoder = new TextDecoder();
  let before = passed;
  let rest = '';
  for await (const chunk of shop.files.download(url, signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARS) throw unavailable(shop.domain, 'a line of a file without end');
    const fresh = before > 0 ? lines.slice(before) : lines;
    before = Math.max(0, before - lines.length);
    if (fresh.length > 0) yield fresh;
  }
  if (rest !== '' && before === 0) yield [rest];
}

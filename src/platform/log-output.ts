import { write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Lines are written once they have this many characters, or the first has waited this many milliseconds. */
const ENOUGH = 4_096;
const LONGEST_WAIT_MS = 1_000;
/** Bytes per write: a pipe takes all of them, or none. */
const LARGEST_WRITE = 4_096;
/** Milliseconds after which a reader that is behind is tried again, and the number of tries at exit. */
const AGAIN_MS = 20;
const LAST_TRIES = 50;

/**
 * Writes log lines to a file descriptor, many together, and the last ones when the process exits. Once the
 * reader is gone, lines are dropped: pino's own output would retry endlessly and keep the process alive.
 */
export function createLogOutput(fd: number): { write(line: string): void } {
  let lines: string[] = [];
  let length = 0;
  /** Taken from the lines, and not yet being written. */
  let pending = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;
  let isClosed = false;
  process.once('exit', flushLast);

  function takeLines(): void {
    clearTimeout(timer);
    timer = undefined;
    pending = Buffer.concat([pending, Buffer.from(lines.join(''))]);
    lines = [];
    length = 0;
  }

  async function flush(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      for (takeLines(); pending.length > 0; takeLines()) {
        const part = pending.subarray(0, LARGEST_WRITE);
        pending = pending.subarray(part.length);
        const rest = part.subarray(await writeSome(fd, part));
        if (rest.length > 0) pending = Buffer.concat([rest, pending]);
      }
    } catch {
      isClosed = true;
      pending = Buffer.alloc(0);
    }
    isWriting = false;
  }

  function flushLast(): void {
    takeLines();
    // No callback comes any more: the part that another thread is writing gets the time for it, as it comes first.
    if (isWriting) pause();
    for (let tries = 0; pending.length > 0 && tries < LAST_TRIES && !isClosed; tries += 1) {
      try {
        pending = pending.subarray(writeSync(fd, pending));
      } catch (error) {
        isClosed = !isBehind(error);
        pause();
      }
    }
  }

  return {
    write(line) {
      if (isClosed) return;
      lines.push(line);
      length += line.length;
      if (length >= ENOUGH) void flush();
      else timer ??= setTimeout(flush, LONGEST_WAIT_MS).unref();
    },
  };
}

/** How many bytes were written. @throws the system's error when nothing can be written any more */
async function writeSome(fd: number, bytes: Buffer): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  write(fd, bytes, (error, written) => {
    if (!error) resolve(written);
    else if (isBehind(error)) resolve(0);
    else reject(error);
  });
  const written = await promise;
  if (written === 0) await delay(AGAIN_MS);
  return written;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
}

function isBehind(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

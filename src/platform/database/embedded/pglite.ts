import { PGlite } from '@electric-sql/pglite';
import { timeStatements, type Watched } from './statement-watch.ts';
import { readBackend, startupMessage } from './wire.ts';

/** Bytes with memory of their own, which can be sent to another thread. */
type OwnBytes = Uint8Array<ArrayBuffer>;

export type PgliteEngine = {
  /** Messages for a client after its startup message, without BackendKeyData and ReadyForQuery. */
  readonly greeting: OwnBytes;
  /** Runs messages that end in Query, Sync or Flush. A rejection means that the engine has crashed. */
  run(group: Uint8Array, timeoutMs: number): Promise<OwnBytes>;
  close(): Promise<void>;
};

/** PostgreSQL's defaults reserve 128 MB of memory and up to 1 GB of log. */
const START_PARAMS = ['-c', 'shared_buffers=32MB', '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'];

/** Opens the PGlite database of a folder in this thread; creates it if there is none. */
export async function openPglite(folder: string, watched: Watched): Promise<PgliteEngine> {
  const database = await PGlite.create(folder, {
    startParams: [...PGlite.defaultStartParams, ...START_PARAMS],
  });
  return createEngine(database, watched);
}

async function createEngine(database: PGlite, watched: Watched): Promise<PgliteEngine> {
  const isDead = throwAfterCrash(database.Module);
  const interrupts = createInterrupts(database.Module);
  const timer = timeStatements(watched, interrupts.cancelStatement);
  const hello = await run(
    startupMessage({ user: 'postgres', database: 'postgres' }),
    Number.POSITIVE_INFINITY,
  );
  const greeting = readBackend(Buffer.from(hello.buffer)).filter(({ type }) => type !== 'K' && type !== 'Z');

  return {
    greeting: joined(greeting.map(({ bytes }) => bytes)),
    run,
    async close() {
      // After a crash nothing more may be written; the next start recovers from the files.
      await (isDead() ? database.fs?.closeFs() : database.close());
    },
  };

  async function run(group: Uint8Array, timeoutMs: number): Promise<OwnBytes> {
    const pieces: Uint8Array[] = [];
    await timer.guard(timeoutMs, () =>
      // Each piece is a view of memory that the next one overwrites.
      database.execProtocolRawStream(group, { onRawData: (piece) => pieces.push(Uint8Array.from(piece)) }),
    );
    interrupts.clear();
    return joined(pieces);
  }
}

function joined(pieces: readonly Uint8Array[]): OwnBytes {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Exit status of PGlite's WebAssembly for a failed statement; any other is a crash. */
const STATEMENT_FAILED = 100;

type Interrupts = {
  /** Makes the running statement fail at its next step. */
  cancelStatement(): void;
  /** Clears a cancellation that came too late, so it does not hit the next statement. */
  clear(): void;
};

/** PostgreSQL checks two of its variables between steps of a statement; on a server a signal sets them. */
function createInterrupts(module: object): Interrupts {
  const cancel = addressOf(module, '_QueryCancelPending');
  const pending = addressOf(module, '_InterruptPending');
  let cancelled = false;
  return {
    cancelStatement: () => set(true),
    clear() {
      if (cancelled) set(false);
    },
  };

  function set(value: boolean): void {
    // Read on every call: growing replaces the memory.
    const memory: unknown = Reflect.get(module, 'HEAPU8');
    if (!(memory instanceof Uint8Array)) return;
    cancelled = value;
    memory[cancel] = Number(value);
    memory[pending] = Number(value);
  }
}

/**
 * PGlite calls its WebAssembly in a loop until it has read its message, whatever the call throws. After a crash
 * (deeply nested JSON overflows the JavaScript stack, the disk is full) it reads nothing more, so the loop never ends.
 * This makes the first call after a crash throw to the caller. Returns a function that tells whether it has crashed.
 */
function throwAfterCrash(module: object): () => boolean {
  let death: unknown;
  wrap(module, '_PostgresMainLoopOnce', (mainLoop) => {
    try {
      return mainLoop();
    } catch (error) {
      if (!isStatementFailure(error)) death = error ?? new Error('crashed');
      throw error;
    }
  });
  // The only call PGlite makes between a failed step and its retry.
  wrap(module, 'stackRestore', (restore, at) => {
    if (death) throw death;
    return restore(at);
  });
  for (const last of ['_PostgresSendReadyForQueryIfNecessary', '_pgl_pq_flush']) {
    wrap(module, last, (finish) => (death ? undefined : finish()));
  }
  return () => death !== undefined;
}

type Call = (...args: unknown[]) => unknown;

function wrap(module: object, name: string, around: (inner: Call, ...args: unknown[]) => unknown): void {
  const inner: unknown = Reflect.get(module, name);
  if (typeof inner !== 'function') throw new Error(`this PGlite has no ${name}`);
  Reflect.set(module, name, (...args: unknown[]) => around((...given) => inner(...given), ...args));
}

function isStatementFailure(error: unknown): boolean {
  return error instanceof Object && 'status' in error && error.status === STATEMENT_FAILED;
}

function addressOf(module: object, name: string): number {
  const address: unknown = Reflect.get(module, name);
  if (typeof address !== 'number') throw new Error(`this PGlite has no ${name}`);
  return address;
}

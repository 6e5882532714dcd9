/** How PGlite's WebAssembly says that a statement failed, which is no end of it. */
const STATEMENT_FAILED = 100;

export type Interrupts = {
  /** Makes the statement under way fail at its next step. */
  cancelStatement(): void;
  /** Keeps a cancellation that came after the last step from the next statement. */
  forget(): void;
};

/** PostgreSQL looks at two of its variables between any two steps; on other systems a signal sets them. */
export function interruptsOf(module: object): Interrupts {
  const cancel = addressOf(module, '_QueryCancelPending');
  const pending = addressOf(module, '_InterruptPending');
  let cancelled = false;
  return {
    cancelStatement: () => set(true),
    forget() {
      if (cancelled) set(false);
    },
  };

  function set(value: boolean): void {
    // Read anew each time: the memory moves when it grows.
    const memory: unknown = Reflect.get(module, 'HEAPU8');
    if (!(memory instanceof Uint8Array)) return;
    cancelled = value;
    memory[cancel] = Number(value);
    memory[pending] = Number(value);
  }
}

/**
 * PGlite calls the WebAssembly again and again until it has read its message, whatever the call throws. After a
 * crash (the JavaScript stack is too small for deeply nested JSON, the disk is full) it never reads on, and the
 * process would hang. This makes the first call after a crash throw to the caller. Returns how to ask about it.
 */
export function throwWhenDead(module: object): () => boolean {
  let death: unknown;
  wrap(module, '_PostgresMainLoopOnce', (mainLoop) => {
    try {
      return mainLoop();
    } catch (error) {
      if (!isStatementFailure(error)) death = error ?? new Error('crashed');
      throw error;
    }
  });
  // The one call that PGlite makes on its way out of a failed step, before it tries again.
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

import type { CDPSession } from 'puppeteer';
import { Fault } from '../../errors.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { TELL } from './dress-page.ts';
import type { OpenPage } from './open-page.ts';
import type { StageLimits } from './stage-limits.ts';

export type CallOptions = {
  readonly signal: AbortSignal;
  readonly ms: number;
  /** What it fails with when it takes longer. */
  readonly late?: () => Error;
};

type PageCalls = Pick<OpenPage, 'call' | 'onTell' | 'seek' | 'reach'> & {
  /** The value of an expression, or of its promise, that is JSON text. @throws Error with the page's own message */
  evaluate(expression: string, options: CallOptions): Promise<unknown>;
};

type Parts = {
  readonly cdp: CDPSession;
  /** Where the page is, ending in a slash. */
  readonly address: string;
  /** Rejects when there is no page to answer any more. */
  readonly gone: Promise<never>;
  readonly limits: StageLimits;
};

/** Asks things of a page that may be busy for ever, or gone. */
export function createPageCalls({ cdp, address, gone, limits }: Parts): PageCalls {
  return { evaluate, call, onTell, seek, reach };

  async function evaluate(expression: string, { signal, ms, late }: CallOptions): Promise<unknown> {
    const { result, exceptionDetails } = await withTimeout(Promise.race([gone, ask(expression, ms)]), {
      signal,
      timeoutMs: ms,
      timeoutError: late ?? (() => new Error(`the page did not answer within ${ms} ms`)),
    });
    if (exceptionDetails) {
      throw new PageError(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return typeof result.value === 'string' ? JSON.parse(result.value) : undefined;
  }

  async function ask(expression: string, ms: number) {
    try {
      return await cdp.send(
        'Runtime.evaluate',
        { expression, awaitPromise: true, returnByValue: true },
        // The caller's deadline comes first, with its own words.
        { timeout: ms + 1000 },
      );
    } catch (error) {
      throw new Fault('video_failed.crashed', {}, { cause: error });
    }
  }

  async function call<T>(
    module: string,
    name: string,
    args: readonly unknown[],
    options: CallOptions,
  ): Promise<T> {
    const code = JSON.stringify(`${address}engine/${module}`);
    const given = args.map((arg) => JSON.stringify(arg) ?? 'undefined').join(',');
    const value = await evaluate(
      `import(${code}).then((module) => module[${JSON.stringify(name)}](${given})).then(JSON.stringify)`,
      options,
    );
    // The modules are ours; where a template can reach what they say, the caller parses it.
    return value as T;
  }

  function onTell(hear: (message: unknown) => void): () => void {
    const listener = ({ name, payload }: { name: string; payload: string }) => {
      if (name === TELL) hear(JSON.parse(payload));
    };
    cdp.on('Runtime.bindingCalled', listener);
    return () => cdp.off('Runtime.bindingCalled', listener);
  }

  async function seek(frame: number, signal: AbortSignal): Promise<boolean> {
    return go(`JSON.stringify(globalThis.stage.seek(${frame}))`, frame, { signal, ms: limits.frameMs });
  }

  async function reach(frame: number, signal: AbortSignal): Promise<void> {
    const ms = limits.frameMs + frame * limits.stepMs;
    await go(`globalThis.stage.reach(${frame}).then(JSON.stringify)`, frame, { signal, ms });
  }

  async function go(expression: string, frame: number, { signal, ms }: CallOptions): Promise<boolean> {
    const late = () => new Fault('video_failed.frame_time', { frame, seconds: ms / 1000 });
    try {
      return (await evaluate(expression, { signal, ms, late })) !== false;
    } catch (error) {
      throw error instanceof PageError ? scriptFault(frame, error) : error;
    }
  }
}

/** Code of the page has thrown. */
export class PageError extends Error {}

/** As much of it as says something. */
const REASON_CHARS = 500;

export function scriptFault(frame: number, error: PageError): Fault {
  const [line = ''] = error.message.split('\n', 1);
  const reason = line.slice(0, REASON_CHARS);
  return new Fault('video_failed.script', { frame, reason }, { cause: error });
}

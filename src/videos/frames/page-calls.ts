import type { CDPSession, Protocol } from 'puppeteer-core';
import { Fault } from '../../errors.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { PageLimits } from './frames.ts';
import type { OpenPage } from './open-page.ts';
import { HOST_BINDING } from './prepare-page.ts';

export type CallOptions = {
  readonly signal: AbortSignal;
  readonly ms: number;
  /** The error when it takes longer. */
  readonly late?: () => Error;
};

type PageCalls = Pick<OpenPage, 'call' | 'onHostMessage' | 'seek' | 'reach' | 'settle'> & {
  /**
   * Evaluates an expression, or its promise, to JSON text and parses it.
   * @throws Error with the page's own message
   */
  evaluate(expression: string, options: CallOptions): Promise<unknown>;
};

type PageCallDeps = {
  readonly cdp: CDPSession;
  /** Address of the page, ending in a slash. */
  readonly address: string;
  /** Rejects when the page is gone. */
  readonly gone: Promise<never>;
  readonly limits: PageLimits;
};

/** Evaluates code in a page that may hang or be gone. */
export function createPageCalls({ cdp, address, gone, limits }: PageCallDeps): PageCalls {
  return { evaluate, call, onHostMessage, seek, reach, settle };

  async function evaluate(expression: string, { signal, ms, late }: CallOptions): Promise<unknown> {
    const { result, exceptionDetails } = await withTimeout(
      Promise.race([gone, sendExpression(expression, ms)]),
      {
        signal,
        timeoutMs: ms,
        timeoutError: late ?? (() => new Error(`the page did not answer within ${ms} ms`)),
      },
    );
    if (exceptionDetails) {
      throw new PageError(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return typeof result.value === 'string' ? JSON.parse(result.value) : undefined;
  }

  async function sendExpression(expression: string, ms: number) {
    try {
      return await cdp.send(
        'Runtime.evaluate',
        { expression, awaitPromise: true, returnByValue: true },
        // The caller's timeout comes first, with its own error.
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
    // The modules are part of the engine; where a template can influence a result, the caller parses it.
    return value as T;
  }

  function onHostMessage(hear: (message: unknown) => void): () => void {
    const listener = ({ name, payload }: { name: string; payload: string }) => {
      if (name === HOST_BINDING) hear(JSON.parse(payload));
    };
    cdp.on('Runtime.bindingCalled', listener);
    return () => cdp.off('Runtime.bindingCalled', listener);
  }

  async function seek(frame: number, signal: AbortSignal): Promise<boolean> {
    return moveTo(`Promise.resolve(globalThis.stage.seek(${frame})).then(JSON.stringify)`, frame, {
      signal,
      ms: limits.frameMs,
    });
  }

  async function reach(frame: number, signal: AbortSignal): Promise<void> {
    const ms = limits.frameMs + frame * limits.stepMs;
    await moveTo(`globalThis.stage.reach(${frame}).then(JSON.stringify)`, frame, { signal, ms });
  }

  async function settle(signal: AbortSignal): Promise<void> {
    await evaluate("'null'", { signal, ms: limits.answerMs });
  }

  async function moveTo(expression: string, frame: number, { signal, ms }: CallOptions): Promise<boolean> {
    const late = () => new Fault('video_failed.frame_time', { frame, seconds: ms / 1000 });
    try {
      return (await evaluate(expression, { signal, ms, late })) !== false;
    } catch (error) {
      throw error instanceof PageError ? scriptFault(frame, error) : error;
    }
  }
}

/** Thrown when code in the page threw. */
export class PageError extends Error {}

const REASON_CHARS = 500;

export function scriptFault(frame: number, error: PageError): Fault {
  const [line = ''] = error.message.split('\n', 1);
  return frameFault(frame, line, error);
}

/** The fault of a frame that cannot be shown, by the first line of the error in the page. */
export function frameFault(frame: number, line: string, cause?: unknown): Fault {
  const [, number, why] = /ClipFailed: (\d{1,3}): (.*)/.exec(line) ?? [];
  if (number === undefined)
    return new Fault('script_failed.frame', { frame, reason: reasonOf(line) }, { cause });
  return new Fault('video_failed.clip_damaged', { frame, number, reason: reasonOf(why ?? '') }, { cause });
}

/** The fault of an exception that nothing in the page has caught, with its line in the page; undefined for a harmless one. */
export function thrownFault(
  { text, exception, url, lineNumber, stackTrace }: Protocol.Runtime.ExceptionDetails,
  address: string,
): Fault | undefined {
  const [first = ''] = (exception?.description ?? String(exception?.value ?? text)).split('\n', 1);
  // The browser reports it although the page works.
  if (/ResizeObserver loop/.test(`${text} ${first}`)) return undefined;
  const reason = reasonOf(first);
  const frame = stackTrace?.callFrames.find((one) => one.url === address);
  const place = frame?.lineNumber ?? (url === address ? lineNumber : undefined);
  if (place === undefined) return new Fault('script_failed.page', { reason });
  // The protocol counts from 0.
  return new Fault('script_failed.line', { line: place + 1, reason });
}

/** Without the full stop at its end: it is followed by one. */
function reasonOf(line: string): string {
  return line.slice(0, REASON_CHARS).replace(/\.$/, '');
}

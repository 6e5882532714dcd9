import type { Request, Response } from 'express';
import type { Call, RestTool } from '../../tools/contract/define.ts';
import { problem } from '../../tools/contract/problem.ts';
import { createProgress } from '../../tools/contract/progress.ts';
import { faultOf } from '../faults.ts';

/** True when the client would rather hear how the work goes than only its end. */
export function wantsEvents({ job, rest }: RestTool, req: Request): boolean {
  const tells = job === true || rest.events !== undefined;
  return tells && req.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}

const HEARTBEAT_MS = 15_000;

/** Bytes kept for a client that does not read: more, and it has gone as far as we are concerned. */
export const HELD_LIMIT = 1024 * 1024;

/**
 * Server-sent events of one call: `progress` {done, total, message}, `text` {text} and the tool's own, then `done` with
 * the answer or `error` with the problem. What fails before the first of them, or in the first seconds, is an ordinary problem answer
 * with its status.
 */
export async function sendEvents(
  res: Response,
  call: Call,
  run: (call: Call) => Promise<{ output: unknown; replayed: boolean }>,
): Promise<void> {
  const send = (event: string, data: unknown) => {
    if (res.destroyed) return;
    if (!res.headersSent) begin(res);
    // Ends the call too, by its signal.
    if (res.writableLength > HELD_LIMIT) return void res.destroy();
    res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const { progress } = createProgress(async ({ progress: done, total, message }) =>
    send('progress', { done, total, message }),
  );
  const heartbeat = setInterval(() => {
    // Proxies give up on an answer that does not begin.
    if (!res.headersSent) begin(res);
    res.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    const heard = { ...call, progress, event: send, text: (piece: string) => send('text', { text: piece }) };
    const { output, replayed } = await run(heard);
    // What is replayed was not run, so nothing has been sent.
    if (replayed && !res.headersSent) res.setHeader('Idempotency-Replayed', 'true');
    send('done', output);
  } catch (error) {
    if (!res.headersSent) throw error;
    send('error', problem(faultOf(error), call, call.requestId));
  } finally {
    clearInterval(heartbeat);
  }
  res.end();
}

function begin(res: Response): void {
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  // Proxies that gather an answer before they pass it on would defeat the purpose.
  res.setHeader('X-Accel-Buffering', 'no');
}

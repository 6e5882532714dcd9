import { once } from 'node:events';
import type { Response } from 'express';
import { localizeFault } from '../../src/language.ts';
import type { Call } from '../../tools/contract/define.ts';
import { faultOf } from '../faults.ts';

/** One JSON value a line, as fast as the reader takes them. An error after the first line becomes the last line. */
export async function sendLines(res: Response, answers: AsyncIterable<unknown>, call: Call): Promise<void> {
  const { signal } = call;
  res.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  try {
    for await (const answer of answers) {
      if (!res.write(`${JSON.stringify(answer)}\n`)) await once(res, 'drain', { signal });
    }
    res.end();
  } catch (error) {
    if (signal.aborted) return;
    if (!res.headersSent) throw error;
    const fault = faultOf(error);
    res.end(
      `${JSON.stringify({ error: { code: fault.code, status: fault.status, message: localizeFault(fault, call).detail } })}\n`,
    );
  }
}

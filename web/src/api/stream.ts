import { isAbort, offline, send } from './call.ts';
import { faultOfProblem, type Problem } from './fault.ts';
import type { Input, Operation, Output } from './operation.ts';
import { requestOf } from './request-of.ts';

type Heard = { readonly event: string; readonly data: unknown; readonly id: string | undefined };

/**
 * Calls an operation that tells how its work goes, and hears every event of it. Aborting ends the work on the server too.
 * @throws ApiFault; AbortError
 */
export async function stream<Op extends Operation>(
  operation: Op,
  input: Input<Op>,
  hear: (event: string, data: unknown) => void,
  signal: AbortSignal,
): Promise<Output<Op>> {
  const { method, url, body } = requestOf(operation, input);
  const response = await send(method, url, body, signal, { Accept: 'text/event-stream' });
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'done') return data as Output<Op>;
    if (event === 'error') throw faultOfProblem(data as Problem);
    hear(event, data);
  }
  throw offline();
}

/** The events of an answer, as they come. */
export async function* eventsOf({ body }: Response): AsyncGenerator<Heard> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch((error: unknown) => {
      throw isAbort(error) ? error : offline();
    });
    if (done) return;
    const parts = `${rest}${value}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const event = /^event: (.*)$/m.exec(part)?.[1];
      const data = /^data: (.*)$/m.exec(part)?.[1];
      const id = /^id: (.*)$/m.exec(part)?.[1];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data), id };
    }
  }
}

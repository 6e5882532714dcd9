import { send } from './call.ts';
import { ApiFault } from './fault.ts';
import { eventsOf } from './stream.ts';

const AGAIN_MS = 2_000;
/** Then the server will not say more: the work is gone, or not for this person. */
const FOR_GOOD = [401, 403, 404];

type Follow<State> = {
  /** Where the server tells of the work by server-sent events, each with its whole state. */
  readonly path: string;
  readonly isEnded: (state: State) => boolean;
  readonly show: (state: State) => void;
  /** Reads the state once; while the stream is broken, that is how it is known. */
  readonly read: () => Promise<State>;
  readonly signal?: AbortSignal;
};

/**
 * Follows work until it ends, and shows every state it hears of. A stream that breaks is taken up after its last event.
 * Returns the last state; undefined where there is nothing to follow.
 */
export async function follow<State>(work: Follow<State>): Promise<State | undefined> {
  const { isEnded, show, read, signal } = work;
  const position: Position = { lastId: undefined };
  for (;;) {
    const heard = await hear(work, position).catch(() => undefined);
    if (heard !== undefined && isEnded(heard)) return heard;
    const state = await read().catch((fault: ApiFault) => fault);
    if (signal?.aborted || (state instanceof ApiFault && FOR_GOOD.includes(state.status))) return undefined;
    if (!(state instanceof Error)) {
      show(state);
      if (isEnded(state)) return state;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

type Position = { lastId: string | undefined };

/** The last state that one stream told of. @throws ApiFault; AbortError */
async function hear<State>({ path, show, signal }: Follow<State>, position: Position) {
  const again = position.lastId === undefined ? {} : { 'Last-Event-ID': position.lastId };
  const headers = { Accept: 'text/event-stream', ...again };
  const response = await send('GET', path, undefined, signal, headers);
  let last: State | undefined;
  for await (const { id, data } of eventsOf(response)) {
    position.lastId = id ?? position.lastId;
    last = data as State;
    show(last);
  }
  return last;
}

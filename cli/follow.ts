import { readEvents } from './events.ts';
import { refusalOf } from './failure.ts';
import { isObject } from './is-object.ts';
import { type Server, send } from './server.ts';
import { progressLine, type Terminal } from './terminal.ts';
import { Interrupted } from './usage-error.ts';

/** Work that goes on after its answer: where its events are, by the id in that answer. */
type Work = { readonly id: string; readonly noun: string; readonly events: (id: string) => string };

const VIDEO: Work = { id: 'id', noun: 'videos', events: (id) => `/videos/${id}/events` };
const RUN: Work = { id: 'run_id', noun: 'sync-runs', events: (id) => `/sync/history/${id}/events` };

const WORK: Readonly<Record<string, Work>> = {
  create_video: VIDEO,
  get_video: VIDEO,
  retry_video: VIDEO,
  run_sync: RUN,
  get_sync_run: { ...RUN, id: 'id' },
  retry_sync_run: RUN,
  revert_sync_run: RUN,
};

// A plan that waits for a person does not end until they decide.
const SETTLED = ['completed', 'failed', 'canceled', 'succeeded', 'partial', 'awaiting_confirmation'];

/** True for work whose file `--out` means: its answer has none until it has ended. */
export function makesVideo(tool: string): boolean {
  return WORK[tool] === VIDEO;
}

/** How often a stream that broke off is opened again before the work is given up on. */
const TRIES = 5;

/**
 * Waits for the work an answer began, and returns it as it ended: the answer itself where there is none.
 * @throws Refused, Interrupted
 */
export async function followWork(
  tool: string,
  answer: unknown,
  server: Server,
  terminal: Terminal,
): Promise<unknown> {
  const work = WORK[tool];
  if (!work || !isObject(answer) || isSettled(answer)) return answer;
  const id = String(answer[work.id]);
  const stop = new AbortController();
  const release = terminal.onInterrupt(() => stop.abort());
  const line = progressLine(terminal);
  let latest: unknown = answer;
  try {
    for (let tries = 0; tries < TRIES && !isSettled(latest); tries += 1) {
      const request = { method: 'GET', path: work.events(id) };
      const response = await send(server, request, { accept: 'text/event-stream', signal: stop.signal });
      if (!response.ok) throw await refusalOf(response);
      for await (const { data } of readEvents(response)) {
        latest = data;
        draw(line, data);
        if (isSettled(data)) break;
      }
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new Interrupted(
      `Stopped waiting. To wait again: 'stallhand ${work.noun} get ${id} --wait'. To cancel it: 'stallhand ${work.noun} cancel ${id}'.`,
    );
  } finally {
    release();
    line.clear();
  }
  return latest;
}

function draw(line: ReturnType<typeof progressLine>, data: unknown): void {
  if (!isObject(data)) return;
  const { progress, status } = data;
  if (typeof progress === 'number') line.show(progress, 100, String(status));
  if (isObject(progress))
    line.show(Number(progress['done']), Number(progress['total']), String(progress['message']));
}

/** True for work that ended without doing what was asked. */
export function hasFailed(answer: unknown): boolean {
  return isObject(answer) && (answer['status'] === 'failed' || answer['status'] === 'canceled');
}

function isSettled(data: unknown): boolean {
  return isObject(data) && SETTLED.includes(String(data['status']));
}

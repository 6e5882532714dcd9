import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isAbort } from '../../api/call.ts';
import { ApiFault } from '../../api/fault.ts';
import type { Input, Output } from '../../api/operation.ts';
import { generateHooks, getUsage, listHistory } from '../../api/operations.gen.ts';
import { stream } from '../../api/stream.ts';

type Answer = Output<typeof generateHooks>;

/** A hook on the page. `generation` and `index` are where the history has it, once it is stored. */
export type WrittenHook = Answer['details'][number] & {
  readonly generation?: string | null;
  readonly index?: number;
};

export type HookRequest = Input<typeof generateHooks> & { readonly api_key?: string };

export type Generation = {
  /** What the hooks are about; undefined before the first were asked for. */
  readonly topic: string | undefined;
  readonly hooks: readonly WrittenHook[];
  readonly isRunning: boolean;
  readonly wasStopped: boolean;
  readonly fault: ApiFault | null;
  /** What the server says of the last answer, such as that the quota covered fewer. */
  readonly notice: string | undefined;
  /** Hooks still to come. */
  readonly awaited: number;
  start(request: HookRequest): void;
  /** Writes more, below those that are there. */
  add(request: HookRequest): void;
  stop(): void;
};

const NOTHING = { isRunning: false, wasStopped: false, fault: null, notice: undefined, awaited: 0 };

/** Has hooks written and shows each as soon as the server has accepted it. Leaving the page stops the work. */
export function useGeneration(): Generation {
  const queries = useQueryClient();
  const [topic, setTopic] = useState<string>();
  const [hooks, setHooks] = useState<readonly WrittenHook[]>([]);
  const [state, setState] = useState<Omit<Generation, 'topic' | 'hooks' | 'start' | 'add' | 'stop'>>(NOTHING);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const write = async (request: HookRequest, before: readonly WrittenHook[]) => {
    running.current?.abort();
    const work = new AbortController();
    running.current = work;
    let came: readonly WrittenHook[] = [];
    setTopic(request.topic);
    setHooks(before);
    setState({ ...NOTHING, isRunning: true, awaited: request.count ?? 0 });
    try {
      const answer = await stream(
        generateHooks,
        request,
        (event, data) => {
          if (event !== 'hook') return;
          came = [...came, data as WrittenHook];
          setHooks([...before, ...came]);
          setState((now) => ({ ...now, awaited: Math.max(0, now.awaited - 1) }));
        },
        work.signal,
      );
      setHooks([...before, ...hooksOf(answer)]);
      setState({ ...NOTHING, notice: answer.notice });
    } catch (error) {
      // Another one took its place.
      if (running.current !== work) return;
      if (isAbort(error)) setState({ ...NOTHING, wasStopped: true });
      else if (error instanceof ApiFault) setState({ ...NOTHING, fault: error });
      else throw error;
    }
    for (const read of [getUsage, listHistory]) void queries.invalidateQueries({ queryKey: [read] });
  };

  return {
    topic,
    hooks,
    ...state,
    start: (request) => void write(request, []),
    add: (request) => void write(request, hooks),
    stop: () => running.current?.abort(),
  };
}

/** The texts and styles are what the answer promises; the rest of a hook may be missing. */
function hooksOf({ hooks, styles_used: styles, details, generation_id: generation }: Answer): WrittenHook[] {
  return hooks.map((text, index) => {
    const detail = details[index];
    const { id = `${index}`, score = 0, why = '', pattern = '', chars = text.length } = detail ?? {};
    const { seconds = 0, flags = [] } = detail ?? {};
    // A style that is missing is shown by its own word, so it may be.
    const style = styles[index] as WrittenHook['style'];
    return { id, text, style, score, why, pattern, chars, seconds, flags, generation, index };
  });
}

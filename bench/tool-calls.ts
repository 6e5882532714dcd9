import type { App } from '../src/app.ts';
import type { Caller } from '../src/identity/caller.ts';
import { plainReader } from '../src/language.ts';
import type { Log } from '../src/platform/log.ts';
import { deliverByLink } from '../tools/contract/delivered.ts';
import { invoke } from '../tools/contract/invoke.ts';
import type { Registry } from '../tools/contract/registry.ts';

type Json = Record<string, unknown>;
export type CallTool = (name: string, input: Json) => Promise<Json>;

type ToolCallsDeps = {
  readonly app: App;
  readonly registry: Registry;
  readonly log: Log;
  readonly caller: Caller;
};

const BASE_URL = 'http://127.0.0.1';

/** Calls tools as a caller does, without HTTP. */
export function toolCalls({ app, registry, log, caller }: ToolCallsDeps): CallTool {
  return async (name, input) => {
    const tool = registry.find(name);
    if (!tool) throw new Error(`Tool '${name}' not found.`);
    const { output } = await invoke(tool, input, {
      app,
      caller,
      log,
      signal: new AbortController().signal,
      requestId: 'bench',
      ...plainReader('en'),
      baseUrl: BASE_URL,
      progress: () => {},
      text: () => {},
      deliver: deliverByLink(app, caller, BASE_URL),
      sourceOf: () => 'body',
    });
    return output as Json;
  };
}

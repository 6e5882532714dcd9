import { type Line, type Members, openLine } from './messages.ts';
import { setLocale, t } from './texts.ts';

/** What the tool that opened the app was called with, and what it answered. */
export type Opened = {
  readonly input: Members;
  /** The ID of what to show, where the answer names one. */
  readonly id: string | undefined;
};

export type Host = {
  /** Resolves when the tool has answered. @throws Error with its message when it failed. */
  readonly opened: Promise<Opened>;
  /** The whole output of a tool that reads. @throws Error with the message of the tool. */
  read<Output = Members>(tool: string, input: Members): Promise<Output>;
  /** Calls a tool that only apps call, for a click of the person. */
  act<Output = Members>(tool: string, input: Members): Promise<Output>;
  /** Calls a tool that models call too, listed or not. Resolves with the ID that its answer names. */
  run(tool: string, input: Members): Promise<string | undefined>;
  /** The bytes of a resource, as an address that this page may show. */
  file(uri: string): Promise<string>;
  /** Hands a file to the person; an address, where the host cannot. */
  save(file: { readonly uri: string; readonly url: string }): Promise<void>;
  /** Tells the model what the person did here. */
  tell(text: string): void;
  /** Says something to the model in the name of the person. */
  say(text: string): Promise<void>;
};

const PROTOCOL = '2026-01-26';

type Result = {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Members;
  readonly isError?: boolean;
  readonly _meta?: Members;
};

/**
 * Opens the conversation with the host, shows the page in its colors and language, and keeps the frame as high as the page.
 * Everything that the page shows comes this way.
 */
export async function connect(): Promise<Host> {
  const input = Promise.withResolvers<Members>();
  const result = Promise.withResolvers<Result>();
  const line = openLine({
    'ui/notifications/tool-input': (params) => input.resolve((params['arguments'] ?? {}) as Members),
    'ui/notifications/tool-result': (params) => result.resolve(params),
    'ui/notifications/tool-cancelled': () => result.reject(new Error('')),
    'ui/notifications/host-context-changed': applyContext,
  });
  const opened = Promise.all([input.promise, result.promise]).then(([given, answered]) => ({
    input: given,
    id: idOf(checked(answered)),
  }));
  // A caller that awaits it hears of a failure.
  opened.catch(() => {});
  const { hostContext = {}, hostCapabilities = {} } = (await line.request('ui/initialize', {
    protocolVersion: PROTOCOL,
    appInfo: { name: 'stallhand', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  })) as { hostContext?: Members; hostCapabilities?: Members };
  applyContext(hostContext);
  line.notify('ui/notifications/initialized', {});
  reportSize(line);
  return { opened, ...callsOf(line), ...speech(line, hostCapabilities) };
}

function callsOf(line: Line) {
  const call = async (name: string, input: Members) =>
    checked((await line.request('tools/call', { name, arguments: input })) as Result);
  return {
    async read<Output>(name: string, input: Members) {
      const { structuredContent } = await call('read_for_app', { name, arguments: input });
      // The output of the tool that the app names.
      return structuredContent?.['output'] as Output;
    },
    act: async <Output>(name: string, input: Members) =>
      (await call(name, input)).structuredContent as Output,
    // A host may know the listed tools alone; run_tool is one of them.
    run: async (name: string, input: Members) =>
      idOf(await call(name, input).catch(() => call('run_tool', { name, arguments: input }))),
    async file(uri: string) {
      const { contents = [] } = (await line.request('resources/read', { uri })) as {
        contents?: readonly { readonly blob?: string; readonly mimeType?: string }[];
      };
      const [{ blob = '', mimeType = '' } = {}] = contents;
      return `data:${mimeType};base64,${blob}`;
    },
  };
}

function speech(line: Line, able: Members) {
  return {
    async save({ uri, url }: { uri: string; url: string }) {
      const link = { type: 'resource_link', uri, name: uri };
      if (able['downloadFile']) await line.request('ui/download-file', { contents: [link] });
      else await line.request('ui/open-link', { url });
    },
    tell(text: string) {
      const told = line.request('ui/update-model-context', { content: [{ type: 'text', text }] });
      // A host may have no such context; the conversation then hears of it with the next question.
      told.catch(() => {});
    },
    async say(text: string) {
      await line.request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
    },
  };
}

/** @throws Error with what the tool says about its failure. */
function checked(result: Result): Result {
  if (!result.isError) return result;
  const texts = (result.content ?? []).flatMap(({ text }) => text ?? []);
  throw new Error(texts.join('\n'));
}

/** The ID of what an app shows: the answer names it, or the call did. @throws Error where neither does */
export function shownId({ id }: Opened, asked: unknown): string {
  if (id !== undefined) return id;
  if (typeof asked === 'string') return asked;
  throw new Error(t('no_id'));
}

function idOf({ _meta }: Result): string | undefined {
  const id = _meta?.['stallhand/id'];
  return typeof id === 'string' ? id : undefined;
}

function applyContext(context: Members): void {
  const { theme, locale, styles } = context as {
    theme?: string;
    locale?: string;
    styles?: { variables?: Readonly<Record<string, string>> };
  };
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  if (locale !== undefined) setLocale(locale);
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value) root.style.setProperty(name, value);
}

/** A host that lets the page choose its height hears of each change. */
function reportSize(line: Line): void {
  let told = 0;
  const report = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    line.notify('ui/notifications/size-changed', { width: window.innerWidth, height });
  };
  new ResizeObserver(report).observe(document.documentElement);
}

/** The content of a resource: text with a media type, and what else its readers see of it. */
type Content = { readonly text: string; readonly mimeType: string; readonly _meta?: Members };
type Variables = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

/** A kind of resource: which tool is called to read one, and which part of its output is the content. */
export type ResourceKind = {
  /** As clients are shown it (RFC 6570). */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly tool: string;
  readonly input: (variables: Variables) => Members;
  readonly content: (output: Members, variables: Variables) => Content | undefined;
};

/** Everything of an account that has an address of its own. The content is data that people and other systems wrote. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    uriTemplate: 'template://{template}@{ref}',
    name: 'template',
    title: 'A template',
    description: 'The HTML or MJML of a template; ref is a version, branch or environment',
    mimeType: 'text/html',
    tool: 'get_template',
    input: ({ template, ref = 'main' }) => ({ template, ...choiceOf(ref), include: 'html' }),
    content: ({ html, format, ...email }) => ({
      text: String(html ?? ''),
      mimeType: format === 'mjml' ? 'text/mjml' : 'text/html',
      _meta: besideHtml(email),
    }),
  },
  {
    uriTemplate: 'template://{template}@{ref}/rendered{?fixture}',
    name: 'rendered-template',
    title: 'A rendered template',
    description: 'The HTML of a template filled with a fixture, or with its fallbacks',
    mimeType: 'text/html',
    tool: 'render_template',
    input: ({ template, ref = 'main', fixture }) => ({
      template,
      ...choiceOf(ref),
      ...(fixture !== undefined && { fixture }),
    }),
    content: ({ html, ...email }) => ({
      text: String(html ?? ''),
      mimeType: 'text/html',
      _meta: besideHtml(email),
    }),
  },
  {
    uriTemplate: 'diff://{template}/{from}..{to}',
    name: 'diff',
    title: 'A diff of two versions',
    description: 'What changed in a template between two versions, branches or environments',
    mimeType: 'text/x-diff',
    tool: 'diff_versions',
    input: ({ template, from, to }) => ({ template, from, to }),
    content: ({ unified }) => ({ text: String(unified ?? ''), mimeType: 'text/x-diff' }),
  },
  {
    uriTemplate: 'fixture://{template}/{fixture}',
    name: 'fixture',
    title: 'A fixture',
    description: 'Named sample data of a template',
    mimeType: 'application/json',
    tool: 'list_fixtures',
    input: ({ template }) => ({ template }),
    content({ items }, { fixture }) {
      const found = (items as readonly Members[]).find(({ name }) => name === fixture);
      return found && json(found['data']);
    },
  },
  {
    uriTemplate: 'video-template://{video_template}',
    name: 'video-template',
    title: 'A video template',
    description: 'The manifest and HTML of a video template',
    mimeType: 'application/json',
    tool: 'get_video_template',
    input: ({ video_template: template }) => ({ template }),
    content: json,
  },
  {
    uriTemplate: 'video://{video_id}',
    name: 'video',
    title: 'A video',
    description: 'Status, progress and file address of a video',
    mimeType: 'application/json',
    tool: 'get_video',
    input: ({ video_id }) => ({ video_id }),
    content: json,
  },
  {
    uriTemplate: 'generation://{generation_id}',
    name: 'generation',
    title: 'A generation of hooks',
    description: 'Hooks that were generated or submitted together',
    mimeType: 'application/json',
    tool: 'get_generation',
    input: ({ generation_id }) => ({ generation_id }),
    content: json,
  },
  {
    uriTemplate: 'run://{run_id}',
    name: 'sync-run',
    title: 'A sync run',
    description: 'Status, counts and errors of a sync run',
    mimeType: 'application/json',
    tool: 'get_sync_run',
    input: ({ run_id }) => ({ run_id }),
    content: json,
  },
  {
    uriTemplate: 'run://{run_id}/changes',
    name: 'sync-changes',
    title: 'Changes of a sync run',
    description: 'The first 200 changes of a sync run, cell by cell',
    mimeType: 'application/json',
    tool: 'list_sync_changes',
    input: ({ run_id }) => ({ run_id, limit: 200 }),
    content: json,
  },
  {
    uriTemplate: 'job://{job_id}',
    name: 'job',
    title: 'A job',
    description: 'Status, progress and result of a job',
    mimeType: 'application/json',
    tool: 'get_job',
    input: ({ job_id }) => ({ job_id }),
    content: json,
  },
];

/** Of an email, what its HTML does not show: a change of the subject alone is a change too. */
function besideHtml({ version, subject }: Members): Members {
  return { 'stallhand/version': version, 'stallhand/subject': subject ?? '' };
}

/** A version, environment or branch, as the tools that read a template take it. */
function choiceOf(ref: string): Members {
  if (ref === 'staging' || ref === 'production') return { environment: ref };
  return /^(?:v\d|latest$)/.test(ref) ? { version: ref } : { branch: ref };
}

/** No address of ours is longer. */
export const MAX_URI_CHARS = 2_000;

const PATTERNS = RESOURCE_KINDS.map((kind) => ({ kind, pattern: patternOf(kind.uriTemplate) }));

/** The kind of an address, with what stands in the places of its template; undefined where it is none of ours. */
export function kindOf(
  uri: string,
): { readonly kind: ResourceKind; readonly variables: Variables } | undefined {
  if (uri.length > MAX_URI_CHARS) return undefined;
  for (const { kind, pattern } of PATTERNS) {
    const found = pattern.exec(uri)?.groups;
    if (found) return { kind, variables: decoded(found) };
  }
  return undefined;
}

/** An address of a kind, with values in the places of its template. */
export function uriOf(uriTemplate: string, variables: Variables): string {
  return uriTemplate
    .replace(/\{\?\w+\}/, '')
    .replace(/\{(\w+)\}/g, (_place, name: string) => encodeURIComponent(variables[name] ?? ''));
}

/**
 * `{?fixture}` is an optional query; any other place ends where the text that follows it first stands, so an address is
 * compared in one pass.
 */
function patternOf(uriTemplate: string): RegExp {
  const source = uriTemplate
    .split(/(\{\??\w+\})/)
    .map((part, at, parts) => {
      const [, query, name] = /^\{(\??)(\w+)\}$/.exec(part) ?? [];
      if (name === undefined) return RegExp.escape(part);
      if (query) return `(?:\\?${name}=(?<${name}>[^&#]+))?`;
      const next = parts[at + 1] ?? '';
      return next === '' ? `(?<${name}>[^/?#]+)` : `(?<${name}>(?:(?!${RegExp.escape(next)})[^/?#])+)`;
    })
    .join('');
  return new RegExp(`^${source}$`);
}

function decoded(found: Variables): Variables {
  const given = Object.entries(found).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, decodedText(value)]));
}

/** A text that is no percent-encoding stands for itself. */
function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function json(value: unknown): Content {
  return { text: JSON.stringify(value, null, 2), mimeType: 'application/json' };
}

import { watch as watchFolder } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DEFAULT_BRANCH } from '../../src/templates/schema.ts';
import { Refused } from '../failure.ts';
import { type Common, requireKnown } from '../flags.ts';
import type { Server } from '../server.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { changedFields, diffOf } from './changes.ts';
import { type LocalTemplate, readTemplates, writeNote, writeTemplate } from './folder.ts';
import { type ServerTemplates, serverTemplates } from './server-templates.ts';

const OPTIONS = {
  branch: { type: 'string' },
  message: { type: 'string' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  server: { type: 'string' },
  token: { type: 'string' },
  account: { type: 'string' },
} as const;

export type FileCommand = {
  readonly usage: string;
  /** The folder and options of a command line. @throws UsageError */
  run(line: FileLine, parts: { readonly server: Server; readonly terminal: Terminal }): Promise<void>;
};

export type FileLine = {
  readonly folder: string;
  readonly names: readonly string[];
  readonly branch: string;
  readonly message: string;
  readonly dryRun: boolean;
  /** Replace files that were changed here. */
  readonly force: boolean;
  readonly common: Common;
};

export function readFileLine(words: readonly string[]): FileLine {
  requireKnown(words, Object.keys(OPTIONS));
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
    const [folder = 'templates', ...names] = positionals;
    const { branch = DEFAULT_BRANCH, message = '', server, token, account } = values;
    const common = { ...(server && { server }), ...(token && { token }), ...(account && { account }) };
    return {
      folder,
      names,
      branch,
      message,
      dryRun: values['dry-run'] === true,
      force: values.force === true,
      common,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Parts = Parameters<FileCommand['run']>[1];

async function pull(line: FileLine, { server, terminal }: Parts): Promise<void> {
  const { folder, names, branch, force } = line;
  const templates = serverTemplates(server);
  const here = new Map(
    (await readTemplates(folder, { create: true })).map((template) => [template.name, template]),
  );
  for (const name of names.length > 0 ? names : await templates.names()) {
    const head = await headOf(templates, name, branch);
    if (!head) throw notFound(name);
    const own = here.get(name);
    if (own && !force && (await isChangedHere(own, templates))) {
      terminal.out(
        `${name}: changed here, not replaced. Save it with '${commandFor('push', name, line)}', or replace it with --force.`,
      );
      continue;
    }
    await writeTemplate(folder, head);
    terminal.out(`${name} ${head.note.version}`);
  }
}

/** True where the files differ from the version they were made from. */
async function isChangedHere(template: LocalTemplate, templates: ServerTemplates): Promise<boolean> {
  const base = await baseOf(template, templates);
  return !base || Object.keys(changedFields(base, template.document)).length > 0;
}

/** The version the files were made from; undefined where they were made here. */
async function baseOf({ name, note }: LocalTemplate, templates: ServerTemplates) {
  return note.version === undefined ? undefined : templates.version(name, note.version);
}

/** The head of the branch, or of main where the template does not have the branch. */
async function headOf(templates: ServerTemplates, name: string, branch: string) {
  return (await templates.head(name, branch)) ?? (await templates.head(name, DEFAULT_BRANCH));
}

/** What a push does with one template, decided before anything is sent. */
type Step =
  | { readonly kind: 'create' | 'unchanged' | 'behind'; readonly template: LocalTemplate }
  | {
      readonly kind: 'update';
      readonly template: LocalTemplate;
      readonly change: Readonly<Record<string, unknown>>;
    };

/** False where the server has everything already. */
async function push(line: FileLine, { server, terminal }: Parts): Promise<boolean> {
  const { folder, branch, message, dryRun } = line;
  const templates = serverTemplates(server);
  let hasChanges = false;
  for (const template of await chosen(line)) {
    const step = await planPush(template, line, templates);
    const { name } = template;
    if (step.kind === 'unchanged') continue;
    hasChanges = true;
    if (step.kind === 'behind') {
      terminal.out(
        `${name}: newer on the server, not changed here. Get it with '${commandFor('pull', name, line)}'.`,
      );
      continue;
    }
    if (dryRun) {
      const fields = step.kind === 'update' ? `: ${Object.keys(step.change).join(', ')}` : '';
      terminal.out(`${name}: would ${step.kind}${fields}`);
      continue;
    }
    const saving = step.kind === 'update' ? update(step) : templates.create(template, message);
    const version = await saving.catch((error: unknown) => {
      throw error instanceof Refused ? ofTemplate(name, error) : error;
    });
    await writeNote(folder, {
      ...template,
      note: { ...template.note, branch: step.kind === 'create' ? DEFAULT_BRANCH : branch, version },
    });
    terminal.out(`${name} ${version}`);
  }

  return hasChanges;

  async function update({
    template: { name, note },
    change,
  }: Extract<Step, { kind: 'update' }>): Promise<string> {
    const expected = await baseHead(name, note, change);
    const { version } = await templates
      .update(name, { ...change, branch, message, ...(expected && { expected_head: expected }) })
      .catch((error: unknown) => {
        throw error instanceof Refused && error.problem.code === 'head_moved' ? movedOn(name, line) : error;
      });
    return version;
  }

  /**
   * The head that the change is for. A branch that is not there begins at the version the files were made from, so a merge
   * sees what others changed since. @throws Refused where another's change of the branch would be overwritten
   */
  async function baseHead(
    name: string,
    note: LocalTemplate['note'],
    change: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    if (note.branch === branch) return note.version;
    const head = await templates.head(name, branch);
    if (!head) await templates.createBranch(name, branch, note.version);
    if (!head || note.version === undefined) return undefined;
    const base = await templates.version(name, note.version);
    const theirs = base ? changedFields(base, head.document) : {};
    if (Object.keys(change).some((field) => field in theirs && theirs[field] !== change[field]))
      throw isOfBranch(note, branch) ? unmerged({ name, note }, line) : movedOn(name, line);
    return head.note.version;
  }
}

/** @throws Refused for files of a branch that main does not have */
async function planPush(template: LocalTemplate, line: FileLine, templates: ServerTemplates): Promise<Step> {
  const { name, note, document } = template;
  const { branch } = line;
  const head = await headOf(templates, name, branch);
  if (!head) return { kind: 'create', template };
  const base = await baseOf(template, templates);
  const own = { ...changedFields(base ?? head.document, document), ...metadataChange(head, template) };
  if (Object.keys(own).length > 0) return { kind: 'update', template, change: own };
  if (Object.keys(changedFields(head.document, document)).length === 0)
    return { kind: 'unchanged', template };
  if (isOfBranch(note, branch)) throw unmerged(template, line);
  return { kind: 'behind', template };
}

/** True for files that were last saved on a branch, where they go to main now. */
function isOfBranch({ branch: saved = DEFAULT_BRANCH }: LocalTemplate['note'], branch: string): boolean {
  return branch === DEFAULT_BRANCH && saved !== DEFAULT_BRANCH;
}

function unmerged(
  { name, note: { branch = '' } }: Pick<LocalTemplate, 'name' | 'note'>,
  line: FileLine,
): Refused {
  const merge = quoted(['stallhand', 'branches', 'merge', '--template', name, '--branch', branch]);
  const push = commandFor('push', name, { ...line, branch });
  const detail = `${name} was last saved on the branch ${branch}, and main has other values. Save your files on the branch with '${push}', then merge it with '${merge}'.`;
  return new Refused({ status: 409, code: 'head_moved', detail, errors: [] });
}

/** Description and tags belong to the template, not to a version. */
function metadataChange(
  { note: held }: LocalTemplate,
  { note }: LocalTemplate,
): Readonly<Record<string, unknown>> {
  return {
    ...(held.description !== note.description && { description: note.description }),
    ...(held.tags.join('\n') !== note.tags.join('\n') && { tags: note.tags }),
  };
}

function notFound(name: string): Refused {
  const detail = `Template '${name}' not found on the server. List its templates with 'stallhand templates list'.`;
  return new Refused({ status: 404, code: 'template_not_found', detail, errors: [] });
}

function movedOn(name: string, line: FileLine): Refused {
  const where = line.branch === DEFAULT_BRANCH ? 'on the server' : `on the branch ${line.branch}`;
  const [diff, pull] = [commandFor('diff', name, line), commandFor('pull', name, line)];
  const detail = `${name} has changed ${where} since you pulled it. See how with '${diff}', keep your files elsewhere, then '${pull} --force'.`;
  return new Refused({ status: 409, code: 'head_moved', detail, errors: [] });
}

/** A refusal with the name of its template; what it says of fields is in its sentence, or stays below it. */
function ofTemplate(name: string, { problem }: Refused): Refused {
  if (problem.code === 'head_moved') return new Refused(problem);
  const errors = problem.errors.filter(({ msg }) => msg !== problem.detail);
  return new Refused({ ...problem, detail: `${name}: ${problem.detail}`, errors });
}

function commandFor(verb: 'diff' | 'pull' | 'push', name: string, { folder, branch }: FileLine): string {
  const words = ['stallhand', verb, folder, name, ...(branch === DEFAULT_BRANCH ? [] : ['--branch', branch])];
  return quoted(words);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
}

async function diff(line: FileLine, { server, terminal }: Parts): Promise<void> {
  const templates = serverTemplates(server);
  const local = new Map((await chosen(line)).map((template) => [template.name, template]));
  const onServer = line.names.length > 0 ? line.names : await templates.names();
  let differs = false;
  for (const name of [...new Set([...local.keys(), ...onServer])].sort()) {
    const head = await headOf(templates, name, line.branch);
    const text = diffOf(name, head?.document, local.get(name)?.document);
    if (text === '') continue;
    differs = true;
    terminal.out(text);
  }
  if (!differs) terminal.out('No differences.');
}

async function watch(line: FileLine, parts: Parts): Promise<void> {
  if (line.branch === DEFAULT_BRANCH)
    throw new UsageError('Every save becomes a version, so watch needs its own branch: --branch drafts');
  await pushSaying(line, parts);
  parts.terminal.err(`Watching ${line.folder}. Changes go to the branch ${line.branch}. Stop with Ctrl-C.\n`);
  let last = Promise.resolve();
  let waiting = false;
  for await (const { filename } of watchFolder(line.folder, { recursive: true })) {
    // Our own notes and files being written are no change of a person's.
    if (waiting || filename === null || /template\.json$|\.part$|~$/.test(filename)) continue;
    waiting = true;
    last = last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      waiting = false;
      await pushSaying(line, parts);
    });
  }
}

/** Editors write a file in several steps. */
const SETTLE_MS = 150;

/** A file that cannot be read yet, or a mail with an error in it, does not end the watch. */
async function pushSaying(line: FileLine, parts: Parts): Promise<void> {
  await push(line, parts).catch((error: unknown) => {
    if (!(error instanceof UsageError) && !(error instanceof Refused)) throw error;
    parts.terminal.err(`${error.message}\n`);
  });
}

async function chosen({ folder, names }: FileLine): Promise<readonly LocalTemplate[]> {
  const all = await readTemplates(folder);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

const COMMON =
  '  --branch NAME   branch of the templates (default main)\n  --server, --token, --account   as for every command\n';

/**
 * Templates as files, one folder each with the files a bundle has: mail.html, subject.txt, schema.json and so on.
 *
 * In: a folder and a server. Out: files, or versions of templates. Invariant: what was changed on the other side is
 * not overwritten; only a pull with --force does so.
 */
export const fileCommands: Readonly<Record<string, FileCommand>> = {
  pull: {
    usage: `Write templates as files, one folder each. Files that you changed are not replaced.\n\nstallhand pull [FOLDER] [NAME …]\n\n${COMMON}  --force         replace the files you changed\n`,
    run: pull,
  },
  push: {
    usage: `Save changed files as new versions, and new folders as new templates. A template that has changed on the server since\nyou pulled it is not overwritten.\n\nstallhand push [FOLDER] [NAME …]\n\n${COMMON}  --message TEXT  message of the versions\n  --dry-run       show what would be saved\n`,
    async run(line, parts) {
      if (!(await push(line, parts))) parts.terminal.out('No changes to save.');
    },
  },
  diff: {
    usage: `Show how files differ from the server.\n\nstallhand diff [FOLDER] [NAME …]\n\n${COMMON}`,
    run: diff,
  },
  watch: {
    usage: `Save each change of a file as a version of a branch, until Ctrl-C.\n\nstallhand watch [FOLDER] [NAME …] --branch NAME\n\n${COMMON}`,
    run: watch,
  },
};

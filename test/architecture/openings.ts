import { posix } from 'node:path';

/** A file of the product: its path from the root of the repository, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

/** Fewer files need no one to open them. */
const FEW = 3;
/** Of its text; the lines that open and close the comment do not count. */
const MAX_HEAD_LINES = 15;

/** The folders without a file of their name: what stands there side by side. `docs/architecture.md` has the same lines. */
export const SHELVES: Readonly<Record<string, string>> = {
  http: '`main.ts` starts the process and `server.ts` joins the routes; beside them, what every route uses',
  'http/assets':
    'Three ways a file comes or goes without a tool: uploads by form, by link, and public addresses',
  src: '`app.ts` builds the services from `config.ts`; beside them, the errors and texts of every service',
  'src/platform':
    'What any product needs. `database/` has a page about the driver and one about the embedded database',
  'src/platform/backup': '`save-backup.ts` and `restore-backup.ts`, and what the two share',
  'src/platform/html': 'Where HTML and CSS load from: one file for each place, and edits of it',
  'src/platform/shared-folder':
    'Two ends of a socket: `offer-folder.ts` for who has the folder, `reach-holder.ts` for who wants it',
  'src/providers': 'Adapters: one folder or file per outside service',
  'src/sync': 'What the folders of sync share: a configuration, a change, the time of the database',
  'src/sync/automation':
    'What starts a run without a person: `scheduler.ts` by time, `webhooks.ts` by the store; and `notices.ts`',
  'src/sync/ports': 'What sync needs of a store, of a sheet and of consent; adapters are in `src/providers/`',
  'src/sync/runs/repositories': 'The SQL of runs: one file for each table or change of it',
  'src/sync/values': 'Values of fields as the store, the sheet and the baseline have them',
  'src/templates/engine/language': 'Steps over the syntax tree of `ast.ts`: parse, check, find variables',
  'src/templates/lint/rules': 'Rules by what they look at; `lint.ts` beside the folder runs them',
  'src/templates/repository': 'The SQL of templates: one file for each table',
  'src/videos/encode':
    'Encoders by the port of `frame-encoder.ts`, and joining chunks, sound and clips to a file',
  'src/wiring': 'One file builds one service',
  'tools/commands':
    '`npm run keys`, `billing`, `backup`, `migrate`; `road/` takes a command to the process that has the database open',
  'tools/contract': 'What a tool is (`define.ts`), and how it is called (`invoke.ts`)',
  'tools/mcp/apps/page': 'One file for each app, and what their pages share',
};

/** The folders that neither have a file of their name nor are a shelf. A toolset opens with the list of its tools. */
export function foldersWithoutOpening(files: readonly SourceFile[], shelves = SHELVES): string[] {
  const rooms = [...roomsOf(files)].filter(([folder, inside]) => !openingOf(folder, inside));
  return rooms.flatMap(([folder]) => (folder in shelves ? [] : [folder])).sort();
}

/** The shelves that are no folder without a file of their name. */
export function unusedShelves(files: readonly SourceFile[], shelves = SHELVES): string[] {
  const rooms = roomsOf(files);
  const isNeeded = (folder: string) => {
    const inside = rooms.get(folder);
    return inside !== undefined && !openingOf(folder, inside);
  };
  return Object.keys(shelves).filter((folder) => !isNeeded(folder));
}

/** The files of their folder's name without a comment that says what comes in, what goes out and what always holds. */
export function openingsWithoutHead(files: readonly SourceFile[]): string[] {
  const openings = [...roomsOf(files)].flatMap(([folder, inside]) => openingOf(folder, inside) ?? []);
  const named = openings.filter(({ path }) => !path.endsWith('/index.ts'));
  return named.filter(({ text }) => !hasHead(text)).map(({ path }) => path);
}

function roomsOf(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  const code = files.filter(({ path }) => !path.endsWith('.d.ts'));
  const folders = Map.groupBy(code, ({ path }) => posix.dirname(path));
  return new Map([...folders].filter(([, inside]) => inside.length >= FEW));
}

function openingOf(folder: string, inside: readonly SourceFile[]): SourceFile | undefined {
  const isToolset = /^tools\/[a-z]+$/.test(folder);
  const names = [`${posix.basename(folder)}.ts`, ...(isToolset ? ['index.ts'] : [])];
  return inside.find(({ path }) => names.includes(posix.basename(path)));
}

function hasHead(text: string): boolean {
  const comments = text.match(/^\/\*\*[\s\S]*?\*\//gm) ?? [];
  return comments.some((comment) => {
    const isShort = comment.split('\n').length - 2 <= MAX_HEAD_LINES;
    return (
      isShort && [/\bIn:\s/, /\bOut:\s/, /\b(?:Invariants?|Always):\s/].every((word) => word.test(comment))
    );
  });
}

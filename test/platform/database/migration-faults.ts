/** What a migration must not do while nodes of the release before still work on the schema: see docs/migrations.md. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\bdrop (table|view|function|trigger|schema)\b/, 'drops what the release before uses'],
  [/\bdrop column\b/, 'drops a column that the release before reads'],
  [/\brename (to|column|constraint)\b/, 'renames what the release before names'],
  [/\balter (column )?\w+ (set data )?type\b/, 'changes a type, which rewrites the table under a lock'],
  [
    /\bset not null\b/,
    'reads the whole table under a lock: add a check as not valid, then validate it in the next release',
  ],
  [
    /\badd column (if not exists )?\w+ (?!.*\bdefault\b).*\bnot null\b/,
    'adds a column that the release before leaves empty',
  ],
  [
    /\badd (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    'checks the whole table under a lock: add it as not valid',
  ],
  [/\badd (constraint \w+ )?(unique|primary key)\b(?!.*\busing index\b)/, 'builds an index under a lock'],
  [/^(update|delete from|truncate)\b/, 'changes rows in one statement: let a job do it in batches'],
  [/^lock\b/, 'locks a table'],
];

/** The faults of a migration, each with the statement it is in. Tables that the file itself makes are empty, so all is allowed. */
export function migrationFaults(text: string): string[] {
  const statements = plain(text)
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
  const own = statements.flatMap((one) => /^create (?:unlogged )?table (\w+)/.exec(one)?.slice(1) ?? []);
  return statements.flatMap((statement) => {
    if (own.includes(tableOf(statement) ?? '')) return [];
    const broken = RULES.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why);
    const index = /^create (unique )?index/.test(statement) ? ['builds an index under a lock'] : [];
    return [...broken, ...index].map((why) => `${why}: ${statement.slice(0, 120)}`);
  });
}

/** The table that a statement changes, or builds an index on. */
function tableOf(statement: string): string | undefined {
  return (
    /^alter table (?:if exists )?(?:only )?(\w+)/.exec(statement)?.[1] ??
    /^create (?:unique )?index (?:if not exists )?\w+ on (\w+)/.exec(statement)?.[1] ??
    /^(?:update|delete from|truncate|insert into) (\w+)/.exec(statement)?.[1]
  );
}

/** In lower case, without comments, strings and bodies of functions. */
function plain(text: string): string {
  return text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .toLowerCase();
}

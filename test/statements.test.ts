import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { copyEmbedded, openTestDatabase, testServer } from './support/database.ts';
import { readStatements, type Statement } from './support/statements.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

type Found = Statement & { readonly file: string };

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(ROOT, 'src', file));
/** The modules that hold the SQL of a table. */
const repositories = files.map((file) => relative(ROOT, file)).filter((file) => /-repo\.ts$/.test(file));
const statements: Found[] = files.flatMap((file) =>
  readStatements(readFileSync(file, 'utf8')).map((one) => ({ ...one, file: relative(ROOT, file) })),
);

describe('every statement of the product', () => {
  const closing: (() => Promise<void>)[] = [];
  const engines: [string, () => Promise<Database>][] = [['the embedded database', openEmbedded]];
  if (testServer) engines.push(['PostgreSQL', openServer]);

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  test('is found', () => {
    const silent = repositories.filter((repository) => !statements.some(({ file }) => file === repository));
    expect(silent).toEqual([]);
    expect(repositories.length).toBeGreaterThan(20);
  });

  test('is written out, and only values are put in', () => {
    expect(
      statements.flatMap((one) => one.faults.map((fault) => `${one.file}:${one.line} ${fault}`)),
    ).toEqual([]);
  });

  test('is in a tagged template: no repository sends SQL that it has put together', () => {
    const unsafe = repositories.filter((file) =>
      /\.unsafe\s*\(/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(unsafe).toEqual([]);
  });

  describe.each(engines)('on %s', (_name, open) => {
    let database: Database;
    beforeAll(async () => {
      database = await open();
      closing.push(() => database.close());
    });

    test('is understood, and fits the tables', async () => {
      const failures = await Promise.all(statements.map((one) => failureOf(database, one)));
      expect(failures.filter((failure) => failure !== undefined)).toEqual([]);
    });

    test('would be named by its file and line if it did not', async () => {
      const wrong = {
        file: 'a/note-repo.ts',
        line: 7,
        text: 'select 1,\n  nonsense',
        values: [],
        faults: [],
      };
      expect(await failureOf(database, wrong)).toBe('a/note-repo.ts:8 column "nonsense" does not exist');
    });
  });

  async function openEmbedded(): Promise<Database> {
    const place = await copyEmbedded();
    closing.push(place.drop);
    return openDatabase(place);
  }

  async function openServer(): Promise<Database> {
    return openTestDatabase();
  }
});

/** Has the server parse the statement, which tells it of the types that the driver tells it of. */
async function failureOf(
  { sql }: Database,
  { file, line, text, values }: Found,
): Promise<string | undefined> {
  const parameters = values.map((value) => (/^\s*(?:sql|tx)\.json\(/.test(value) ? sql.json({}) : null));
  try {
    await sql.unsafe(text, parameters).describe();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const position = 'position' in error ? Number(error.position) : 0;
    return `${file}:${line + text.slice(0, position).split('\n').length - 1} ${error.message}`;
  }
}

describe('the reader of statements', () => {
  const read = (source: string) =>
    readStatements(source).map(({ line, text, values }) => ({ line, text, values }));
  const put = (value: string) => `\${${value}}`;

  test('gives text, values and line of each', () => {
    const source = `const a = 1;\n\nawait sql\`\n  select ${put('a')} as a,\n    ${put("b.c('x')")}::text\`;\ntx\`select 2\``;
    expect(read(source)).toEqual([
      { line: 3, text: '\n  select $1 as a,\n    $2::text', values: ['a', "b.c('x')"] },
      { line: 6, text: 'select 2', values: [] },
    ]);
  });

  test.each([
    ['with a type', 'sql<Row[]>`select 1`'],
    ['with a longer type', 'this.sql<{ a: Map<string, number>; b: () => "x>`" }[]>`select 1`'],
    ['behind a comment', '// not sql`a`\n/* nor tx`b` */ sql`select 1`'],
    ['behind strings', `const a = 'sql\`no\`'; const b = "it's"; sql\`select 1\``],
    ['behind a regular expression', 'const a = /[`"\']/.test(b); tx`select 1`'],
    ['behind a division', 'const a = b / c; tx`select 1`; const d = e / 2;'],
    ['inside of a template', `const a = \`${put('await sql`select 1`')}\``],
    ['inside of a function', 'return { a: (sql) => { return sql`select 1`; } }'],
  ])('finds one %s', (_case, source) => {
    expect(read(source).map(({ text }) => text)).toEqual(['select 1']);
  });

  test.each(['`select 1`', 'mysql`select 1`', 'sqlite`select 1`', 'sql.json(a)', 'const sql = `select 1`'])(
    'takes %s for none',
    (source) => {
      expect(read(source)).toEqual([]);
    },
  );

  test.each(['a', 'sql.json({ a: `}` })', 'tx.array(ids)', `rows.map((row) => \`${put('row.id')}}\`)`])(
    'has nothing against the value %s',
    (value) => {
      expect(readStatements(`sql\`select ${put(value)}\``)).toEqual([
        { line: 1, text: 'select $1', values: [value], faults: [] },
      ]);
    },
  );

  test.each([
    ['sql(rows)', 'builds SQL out of data; write the columns out, or use unnest.'],
    ['sql(rows, "a", "b")', 'builds SQL out of data; write the columns out, or use unnest.'],
    ['a ? sql`and b` : null', 'puts SQL into SQL; write two whole statements, or decide inside of the SQL.'],
    ['tx.unsafe(a)', 'puts SQL into SQL; write two whole statements, or decide inside of the SQL.'],
  ])('says of the value %s that it %s', (value, fault) => {
    const [statement] = readStatements(`sql\`select ${put(value)}\``);
    expect(statement?.faults).toEqual([`${put(value)} ${fault}`]);
  });
});

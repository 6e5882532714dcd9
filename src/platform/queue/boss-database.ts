import type { Db } from 'pg-boss';
import type { Sql, Tx } from '../database/database.ts';

/**
 * The product's own pool, as pg-boss (12.35) asks for a database. Its scripts of many statements become transactions
 * of ours, which survive the loss of a connection (see transactions.ts); the driver refuses a bare `BEGIN` on a pool.
 */
export function bossDatabase(sql: Sql): Db {
  return {
    executeSql(text, values) {
      if (!SCRIPT.test(text)) return run(sql, text, values);
      const statements = text.replace(SCRIPT, '').replace(/\bCOMMIT\s*;?\s*$/i, '');
      return sql.begin(async (tx) => {
        // Making the tables takes longer than a request's statement may.
        await tx`set local statement_timeout = 60000`;
        return run(tx, statements);
      });
    },
    async listen(channel, onNotification, onReconnect) {
      const listener = await sql.listen(channel, onNotification, onReconnect);
      return { close: () => listener.unlisten() };
    },
  };
}

/** A transaction of the product, for what pg-boss is to do within it. */
export function bossTransaction(tx: Tx): Db {
  return { executeSql: (text, values) => run(tx, text, values) };
}

const SCRIPT = /^\s*BEGIN\s*;/i;

type Rows = readonly unknown[] | readonly (readonly unknown[])[];

async function run(client: Sql | Tx, text: string, values: readonly unknown[] = []) {
  const parameters = values.map((value) => (value === null ? null : client.typed(textOf(value), UNKNOWN)));
  const query = client.unsafe(text, parameters);
  // Only the simple protocol runs many statements in one text; each has then rows of its own.
  const rows: Rows = parameters.length > 0 ? await query : await query.simple();
  return { rows: rows.some(Array.isArray) ? rows.flat() : [...rows] };
}

/**
 * The type PostgreSQL gives a quoted text before it knows more. pg-boss writes for another driver, which sends every
 * value as such a text; ours would, by type, turn the JSON text in a value into a JSON string.
 */
const UNKNOWN = 705;

/** A value in PostgreSQL's own notation, as pg-boss expects its driver to write it. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return Array.isArray(value) ? textOf(value) : `"${textOf(value).replace(/["\\]/g, '\\$&')}"`;
}

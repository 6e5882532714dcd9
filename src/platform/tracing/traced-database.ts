import type { Database, Sql } from '../database/database.ts';
import { errorType } from './error-type.ts';
import { type StatementSummary, summarize } from './statement-summary.ts';
import type { Tracing } from './tracing.ts';

/** The same database; its statements are spans, where they are part of a trace. */
export function tracedDatabase(database: Database, tracing: Tracing): Database {
  if (!tracing.isOn) return database;
  const traced = createTraced(tracing);
  return { ...database, sql: traced(database.sql), background: traced(database.background) };
}

/**
 * A query of postgres.js. The driver calls `handler` when it is awaited; fragments and other helpers have none.
 */
type Query = Promise<unknown> & { handler?: (query: Query) => unknown };
type Work = (tx: Sql) => unknown;

type Template = readonly [strings: readonly string[], ...values: unknown[]];
/** A query in a query, as the driver keeps it. */
type Fragment = { readonly strings: readonly string[]; readonly args: readonly unknown[] };

/** Those that take a transaction's work as their last argument. */
const WITH_WORK = ['begin', 'savepoint'];
const WITH_TEXT = ['unsafe', 'file'];

function createTraced(tracing: Tracing) {
  const known = new WeakMap<object, StatementSummary>();
  return traced;

  /** Of a client, or of the client in a transaction, whose methods are the same. */
  function traced(sql: Sql): Sql {
    return new Proxy(sql, {
      apply: (target, self, given) =>
        // The driver takes a template here, or what is no query.
        watched(Reflect.apply(target, self, given), () => summaryOf(...(given as [...Template]))),
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || typeof name !== 'string') return value;
        if (WITH_WORK.includes(name))
          return (...given: unknown[]) => value.apply(target, given.map(withTracedClient));
        if (WITH_TEXT.includes(name))
          return (...given: unknown[]) =>
            watched(value.apply(target, given), () => summarize(name === 'unsafe' ? String(given[0]) : name));
        return value;
      },
    });
  }

  function withTracedClient(given: unknown): unknown {
    // The driver takes no other function here.
    return typeof given === 'function' ? (tx: Sql) => (given as Work)(traced(tx)) : given;
  }

  /** A template's strings are the same object each time; its fragments can be others. */
  function summaryOf(...[strings, ...values]: Template): StatementSummary {
    if (values.some(isFragment)) return summarize(textOf(strings, values));
    const summary = known.get(strings) ?? summarize(textOf(strings, values));
    known.set(strings, summary);
    return summary;
  }

  function watched(query: Query, summaryFor: () => StatementSummary): Query {
    const { handler } = query;
    if (!handler || !tracing.isRecording()) return query;
    query.handler = (own) => {
      const { operation, table } = summaryFor();
      const summary = table === undefined ? operation : `${operation} ${table}`;
      const span = tracing.start(summary, {
        kind: 'client',
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          'db.collection.name': table,
          'db.query.summary': summary,
        },
      });
      // The query's own `then` would send it again.
      Promise.prototype.then.call(
        query,
        () => span.end(),
        (error: unknown) => {
          span.fail(errorType(error));
          span.end();
        },
      );
      return handler(own);
    };
    return query;
  }
}

function isFragment(value: unknown): value is Fragment {
  return value instanceof Promise && 'strings' in value && 'args' in value;
}

/** The text that was written, with a mark for each value. */
function textOf(strings: readonly string[], values: readonly unknown[]): string {
  return strings.reduce((text, part, index) => {
    const value = values[index - 1];
    return `${text}${isFragment(value) ? textOf(value.strings, value.args) : '?'}${part}`;
  });
}

import type { Sql, Tx } from '../database.ts';

type Work = (tx: Tx) => unknown;

/** `over` once the transaction has ended or its connection is lost; `lost` then rejects. */
type TransactionState = { over: boolean; readonly lost: Promise<never> };

/**
 * Makes `begin` of postgres.js 3.4.9 safe when the connection is lost during a transaction. The driver alone sends the
 * rollback, commit or next query over the lost connection, which throws outside any promise and ends the process, or
 * over the next connection, outside a transaction (driver issues 1208 and 1216).
 * Here every later query of `tx` rejects, and the driver never reaches its rollback or commit.
 */
export function withSafeTransactions(sql: Sql): Sql {
  const begin = sql.begin.bind(sql);
  const safe = (...given: [Work] | [string, Work]) => {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    const state: TransactionState = { over: false, lost };
    const [work, options = ''] = given.length === 1 ? given : [given[1], given[0]];
    const ended = begin(options, (tx) => guardWork(state, work, tx));
    const end = (error?: unknown) => {
      state.over = true;
      reject(error);
    };
    ended.then(() => end(), end);
    return ended;
  };
  // `safe` has the driver's two signatures; their result type depends on the work's.
  sql.begin = safe as Sql['begin'];
  return sql;
}

/** After a loss the driver has already rejected the transaction, so this never settles: no rollback is sent. */
async function guardWork(state: TransactionState, work: Work, tx: Tx): Promise<unknown> {
  try {
    const result = await work(guardTx(state, tx));
    const settled = Array.isArray(result) ? await Promise.all(result) : result;
    await nextTick();
    if (!state.over) return settled;
  } catch (error) {
    await nextTick();
    if (!state.over) throw error;
  }
  return new Promise(() => {});
}

/** A loss rejects the query before the transaction, so the work may learn of it before `state` does. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function guardTx(state: TransactionState, tx: Tx): Tx {
  const savepoint = async (...given: [Work] | [string, Work]) => {
    await nextTick();
    if (state.over) throw new TransactionOver();
    const [work, name] = given.length === 1 ? given : [given[1], given[0]];
    const inner = (point: Tx) => guardWork(state, work, point);
    return Promise.race([name === undefined ? tx.savepoint(inner) : tx.savepoint(name, inner), state.lost]);
  };
  return new Proxy(tx, {
    apply: (target, self, given) => guardQuery(state, Reflect.apply(target, self, given)),
    get(target, name) {
      if (name === 'savepoint') return savepoint;
      const value: unknown = Reflect.get(target, name);
      if ((name !== 'unsafe' && name !== 'file') || typeof value !== 'function') return value;
      return (...given: unknown[]) => guardQuery(state, value.apply(target, given));
    },
  });
}

/** The driver calls `handler` when a query is awaited. Fragments and other helpers of `tx` have none. */
type Handled = { handler?: (query: Handled) => void; reject(error: Error): void };

function guardQuery(state: TransactionState, query: Handled): Handled {
  const { handler } = query;
  if (!handler) return query;
  query.handler = async (own) => {
    await nextTick();
    if (state.over) own.reject(new TransactionOver());
    else handler(own);
  };
  return query;
}

/** A query of a transaction that has ended, or whose connection is gone. The code is the driver's. */
class TransactionOver extends Error {
  readonly code = 'CONNECTION_CLOSED';

  constructor() {
    super('the transaction is over: it has ended, or its connection was lost');
  }
}

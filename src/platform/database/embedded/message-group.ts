import { statementHeads } from './statement-heads.ts';
import { readBoundStatement, readStatement } from './wire.ts';

/** What a client sends before it waits for an answer. */
export type MessageGroup = {
  readonly bytes: Buffer;
  /** `H` (Flush) wants an answer and goes on with the same group of the protocol, up to an `S` (Sync). */
  readonly end: string;
  readonly copies: boolean;
  readonly listens: boolean;
  /** The limit it sets for the statements of its transaction, in milliseconds; infinite for none. */
  readonly statementMs: number | undefined;
};

export type GroupReader = {
  /** Takes a message; gives the group that it completes. */
  add(type: string, bytes: Buffer): MessageGroup | undefined;
  /** The names of the prepared statements it has seen. */
  names(): string[];
};

const ENDS = 'QSHF';
const COPY_DATA = 'dcf';
const OF_CONCERN = /copy|listen|statement_timeout/i;

/** Puts one client's messages together in groups, and knows its prepared statements: those of concern by their text. */
export function createGroupReader(): GroupReader {
  const prepared = new Map<string, string | undefined>();
  let messages: Buffer[] = [];
  let texts: string[] = [];

  return { add, names: () => [...prepared.keys()] };

  function add(type: string, bytes: Buffer): MessageGroup | undefined {
    if (COPY_DATA.includes(type)) return undefined;
    messages.push(bytes);
    const text = textOf(type, bytes);
    if (text !== undefined) texts.push(text);
    if (!ENDS.includes(type)) return undefined;

    const group = { bytes: Buffer.concat(messages), end: type, ...meaningOf(texts) };
    messages = [];
    texts = [];
    return group;
  }

  function textOf(type: string, bytes: Buffer): string | undefined {
    if (type === 'B') return prepared.get(readBoundStatement(bytes));
    const statement = readStatement(type, bytes);
    const text = statement && OF_CONCERN.test(statement.text) ? statement.text : undefined;
    if (statement?.name) prepared.set(statement.name, text);
    return text;
  }
}

function meaningOf(texts: readonly string[]): Pick<MessageGroup, 'copies' | 'listens' | 'statementMs'> {
  const heads = texts.flatMap((text) => statementHeads(text));
  const limit = heads.includes('set local statement_timeout')
    ? texts.join('\n').match(/statement_timeout\s*(?:=|to)\s*'?(\d+)/i)?.[1]
    : undefined;
  return {
    copies: heads.some((head) => head.startsWith('copy')),
    listens: heads.some((head) => head.startsWith('listen')),
    statementMs: limit === undefined ? undefined : Number(limit) || Number.POSITIVE_INFINITY,
  };
}

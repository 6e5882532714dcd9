import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogins } from '../../cli/login.ts';
import { createOperations } from '../../cli/operations.ts';
import type { Program } from '../../cli/program.ts';
import type { Terminal } from '../../cli/terminal.ts';
import { productRegistry } from '../../tools/index.ts';

export const OPERATIONS = createOperations(productRegistry().tools);

type Said = { out: string; err: string; questions: string[] };

/** A terminal that keeps what is printed, and answers questions with `answers` in order; without any, no one is there. */
export function testTerminal({ answers = [], stdin = '' }: { answers?: string[]; stdin?: string } = {}) {
  const said: Said = { out: '', err: '', questions: [] };
  const left = [...answers];
  const interrupts = new Set<() => void>();
  const terminal: Terminal = {
    columns: 100,
    canAsk: answers.length > 0,
    isWatched: false,
    out: (text) => {
      said.out += text.endsWith('\n') ? text : `${text}\n`;
    },
    bytes: (chunk) => {
      said.out += Buffer.from(chunk).toString('latin1');
    },
    err: (text) => {
      said.err += text;
    },
    async ask(question) {
      said.questions.push(question);
      return left.shift() ?? '';
    },
    onInterrupt(listener) {
      interrupts.add(listener);
      return () => void interrupts.delete(listener);
    },
    stdin: (async function* () {
      yield Buffer.from(stdin);
    })(),
    readStdin: async () => stdin,
  };
  const interrupt = () => interrupts.forEach((listener) => void listener());
  return { terminal, said, interrupt };
}

/** The program of a person who has never signed in. */
export function testProgram(terminal: Terminal, config: Partial<Program['config']> = {}): Program {
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-cli-'));
  return {
    operations: OPERATIONS,
    terminal,
    config: { url: undefined, apiKey: undefined, folder, language: 'en', ...config },
    logins: createLogins(join(folder, 'stallhand')),
  };
}

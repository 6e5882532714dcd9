import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Where a command reads and writes. */
export type Terminal = {
  readonly columns: number;
  /** A person is there to answer questions. */
  readonly canAsk: boolean;
  /** A person watches: progress is drawn. */
  readonly isWatched: boolean;
  out(text: string): void;
  bytes(chunk: Uint8Array): void;
  err(text: string): void;
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string>;
  /** Calls `listener` at the next Ctrl-C, which then does not end the process. @returns what takes it back */
  onInterrupt(listener: () => void): () => void;
  readonly stdin: AsyncIterable<Buffer | string>;
  readStdin(): Promise<string>;
};

/** The streams of this process. */
export function processTerminal(process: NodeJS.Process): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    columns: stdout.columns ?? 120,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    isWatched: stderr.isTTY === true,
    out: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    bytes: (chunk) => void stdout.write(chunk),
    err: (text) => void stderr.write(text),
    async ask(question, { hidden = true } = {}) {
      stderr.write(question);
      // What is typed is not shown.
      const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr;
      const lines = createInterface({ input: stdin, output, terminal: true });
      try {
        return await lines.question('');
      } finally {
        lines.close();
        if (hidden) stderr.write('\n');
      }
    },
    onInterrupt(listener) {
      process.once('SIGINT', listener);
      return () => void process.off('SIGINT', listener);
    },
    stdin,
    async readStdin() {
      let text = '';
      for await (const chunk of stdin) text += String(chunk);
      return text;
    },
  };
}

const BAR = 24;

/** Draws how far work is, in one line of standard error; nothing where no one watches. */
export function progressLine(terminal: Pick<Terminal, 'err' | 'isWatched'>) {
  let drawn = false;
  return {
    show(done: number, total: number, message: string) {
      if (!terminal.isWatched) return;
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * BAR);
      drawn = true;
      terminal.err(
        `\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${Math.round(share * 100)} % ${message.replace(/\p{Cc}/gu, ' ')}`,
      );
    },
    clear() {
      if (drawn) terminal.err('\r\x1b[2K');
      drawn = false;
    },
  };
}

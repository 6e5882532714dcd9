import type { Duplex } from 'node:stream';
import {
  type BackendMessage,
  readBackend,
  startupMessage,
} from '../../src/platform/database/embedded/wire.ts';

export type WireClient = {
  write(bytes: Buffer): void;
  /** Everything answered up to the given number of ReadyForQuery messages, counted from the last call. */
  answers(ready: number): Promise<BackendMessage[]>;
  readonly socket: Duplex;
};

/** Speaks to a connection in bytes, as the driver never would. */
export async function connectWire(socket: Duplex): Promise<WireClient> {
  let received = Buffer.alloc(0);
  let wake = () => {};
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => wake());
  const client = { socket, answers, write: (bytes: Buffer) => void socket.write(bytes) };
  client.write(startupMessage({ user: 'test', database: 'test' }));
  await answers(1);
  return client;

  async function answers(ready: number): Promise<BackendMessage[]> {
    for (;;) {
      const messages = readBackend(received);
      const enough = messages.filter(({ type }) => type === 'Z').length >= ready;
      if (enough || socket.destroyed) {
        received = Buffer.alloc(0);
        return messages;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

/** An answer in short: the types of its messages, the values of its rows, the code of its error. */
export function inShort(messages: readonly BackendMessage[]): string[] {
  return messages.filter(({ type }) => type !== 'S').map(({ type, bytes }) => type + detail(type, bytes));
}

function detail(type: string, bytes: Buffer): string {
  if (type === 'D') return ` ${bytes.toString('utf8', 11)}`;
  if (type === 'Z') return ` ${bytes.toString('utf8', 5)}`;
  if (type === 'E') return ` ${/\0C(\w{5})\0/.exec(bytes.toString('latin1'))?.[1]}`;
  return '';
}

export const parse = (text: string, name = ''): Buffer => frame('P', `${name}\0${text}\0\0\0`);
export const bind = (value: string, name = ''): Buffer =>
  frame('B', `\0${name}\0\0\0\0\u0001${length(value)}${value}\0\0`);
export const describe = (name = ''): Buffer => frame('D', `S${name}\0`);
export const execute = (): Buffer => frame('E', '\0\0\0\0\0');
export const flush = (): Buffer => frame('H', '');
export const sync = (): Buffer => frame('S', '');
export const query = (text: string): Buffer => frame('Q', `${text}\0`);

export function frame(type: string, body: string): Buffer {
  return Buffer.from(`${type}${length(`1234${body}`)}${body}`, 'latin1');
}

function length(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(text.length);
  return bytes.toString('latin1');
}

import { type Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Bytes of the largest message, which a client sends as one line. */
export const LARGEST_MESSAGE = 128 * 1024 * 1024;

/** The standard streams of the process, or others, as the client's end of a conversation. */
export function openStandardStreams(stdin?: Readable, stdout?: Writable): StdioServerTransport {
  const options = { maxBufferSize: LARGEST_MESSAGE };
  return new StdioServerTransport(stdin ?? process.stdin, stdout ?? ownStandardOutput(), options);
}

/**
 * Standard output for the protocol alone: what anything else in the process prints goes to standard error, since one
 * stray line would end the conversation. A client that has gone away ends the conversation, and is no error.
 */
function ownStandardOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // The same failure reaches the conversation by the callback of the write.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
}

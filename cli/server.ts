import { openAsBlob } from 'node:fs';
import type { CallRequest } from './request.ts';

/** The server that commands are sent to. */
export type Server = {
  /** Without a slash at the end. */
  readonly url: string;
  /** API key or session token; none for the local owner of an open server. */
  readonly token?: string | undefined;
  /** ID of the account to work in. */
  readonly account?: string | undefined;
  /** Ends what was started for this command. */
  close(): Promise<void>;
};

type Send = {
  readonly accept?: string;
  readonly language?: string | undefined;
  /** Repeats of a write with the same key have its effect once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

/** Sends one request. @throws Unreachable */
export async function send(
  { url, token, account }: Server,
  { method, path, body, file }: CallRequest,
  { accept = 'application/json', language, idempotencyKey, signal }: Send = {},
): Promise<Response> {
  const address = /^https?:/.test(path) ? path : `${url}${path}`;
  const headers = {
    accept,
    'user-agent': 'stallhand-cli',
    ...(language !== undefined && { 'accept-language': language }),
    // A link to another host gets no credential.
    ...(token !== undefined &&
      new URL(address).origin === new URL(url).origin && { authorization: `Bearer ${token}` }),
    ...(account !== undefined && { 'stallhand-account': account }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(file && { 'content-type': 'application/octet-stream' }),
  };
  const content = file ? await openAsBlob(file.path) : body && JSON.stringify(body);
  try {
    return await fetch(address, {
      method,
      headers,
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(url, error);
  }
}

/** No server answers at the address. */
class Unreachable extends Error {
  constructor(url: string, cause: unknown) {
    super(`No Stallhand server answers at ${url}. Check the address, or start one with 'stallhand serve'.`, {
      cause,
    });
  }
}

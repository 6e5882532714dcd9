import { isDomain } from '../../sync/ports/store-client.ts';
import { type Reach, systemCode } from './shop-fetch.ts';

/** Thrown where a file cannot be fetched or sent; its words are for the log. */
export class FileFault extends Error {}

export type FileFetch = {
  /** The bytes of a file in their chunks. Throws FileFault. */
  download(url: string, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Throws FileFault. */
  upload(url: string, form: FormData, signal: AbortSignal): Promise<void>;
};

const QUIET_MS = 30_000;
const UPLOAD_MS = 5 * 60_000;

/**
 * Files lie at an address that the store gives: they are fetched over https, without any credential, without following.
 * With `baseUrl` those of a store are there.
 */
export function createFileFetch({ baseUrl, fetch: send = fetch }: Reach): FileFetch {
  async function open(address: string, init: RequestInit): Promise<Response> {
    const { url, headers } = placeOf(address, baseUrl);
    const response = await send(url, { ...init, headers, redirect: 'manual' }).catch((error: unknown) => {
      throw new FileFault(`no answer for a file (${systemCode(error)})`);
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new FileFault(`HTTP ${response.status} for a file`);
  }

  return {
    async *download(url, signal) {
      const quiet = new AbortController();
      const ending = AbortSignal.any([signal, quiet.signal]);
      // Times only a pending read: the time the consumer spends on a chunk does not count.
      const soon = <T>(promise: Promise<T>) => {
        const timer = setTimeout(() => quiet.abort(), QUIET_MS);
        return promise.finally(() => clearTimeout(timer));
      };
      const { body } = await soon(open(url, { signal: ending }));
      const reader = body?.getReader();
      if (!reader) return;
      try {
        for (;;) {
          const { done, value } = await soon(reader.read());
          if (done) return;
          yield value;
        }
      } catch (error) {
        throw new FileFault(`a file broke off (${systemCode(error)})`);
      } finally {
        await reader.cancel().catch(() => {});
      }
    },

    async upload(url, form, signal) {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]);
      const response = await open(url, { method: 'POST', body: form, signal: ending });
      await response.body?.cancel();
    },
  };
}

function placeOf(
  address: string,
  baseUrl: string | undefined,
): { url: URL; headers: Record<string, string> } {
  const url = URL.parse(address);
  if (!url) throw new FileFault('the address of a file is none');
  if (baseUrl !== undefined && isDomain(url.host)) {
    const headers = { 'x-forwarded-host': url.host };
    return { url: new URL(`${url.pathname}${url.search}`, baseUrl), headers };
  }
  if (url.protocol === 'https:' || url.origin === URL.parse(baseUrl ?? '')?.origin)
    return { url, headers: {} };
  throw new FileFault('the address of a file is not https');
}

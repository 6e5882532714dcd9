import { send } from './call.ts';
import type { Input, Operation } from './operation.ts';
import { requestOf } from './request-of.ts';

/**
 * Calls an operation that answers with a file, and hands the file to the browser to keep.
 * @throws ApiFault
 */
export async function download<Op extends Operation>(operation: Op, input: Input<Op>): Promise<void> {
  const { method, url, body } = requestOf(operation, input);
  const response = await send(method, url, body, undefined, { Accept: 'application/octet-stream' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameOf(response);
  link.click();
  // The browser reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The plain name, or the one that may have any letter. */
function nameOf({ headers }: Response): string {
  const disposition = headers.get('content-disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? 'download';
}

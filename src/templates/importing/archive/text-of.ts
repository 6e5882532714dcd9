import { Fault } from '../../../errors.ts';
import { findNonText } from '../../../platform/json-size.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A file as the text it holds. @throws Fault validation_failed for bytes that are no UTF-8 text */
export function textOf(bytes: Uint8Array, file: string): string {
  const text = decode(bytes);
  if (text === undefined || findNonText(text) !== undefined)
    throw new Fault('validation_failed.archive_text', { file });
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

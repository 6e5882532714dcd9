import { Fault } from '../../../errors.ts';
import { readArchive } from '../archive/read-archive.ts';
import { readFolder } from '../archive/read-folder.ts';
import type { ImportedSource } from '../imported-template.ts';
import { parseJson } from './parse-export.ts';
import { detectSource, readService, type Service } from './read-service.ts';

export type Source = Service | 'zip' | 'auto';

/** How every zip archive starts, in base64: an entry, or the end of an empty archive. */
const ZIP = /^\s*UEs(?:DB|FBg)/;

/**
 * Reads what another service exported, an archive or plain sources.
 * @throws Fault validation_failed, too_large when it is not that
 */
export async function readPayload(
  source: Source,
  payload: unknown,
  signal: AbortSignal,
): Promise<ImportedSource> {
  if (typeof payload === 'string' && (source === 'zip' || ZIP.test(payload))) {
    const files = await readArchive(fromBase64(payload), signal);
    return readFolder(files, source === 'zip' || source === 'auto' ? undefined : source);
  }
  if (source === 'zip') throw new Fault('validation_failed.archive_base64');
  const value = parseText(source, payload);
  const service = source === 'auto' ? detectSource(value) : source;
  if (!service) throw new Fault('validation_failed.import_source');
  return { importedTemplates: await readService(service, value, 'payload'), notes: [] };
}

/** A service's answer may come as the text it was; HTML and MJML are meant as texts. */
function parseText(source: Source, payload: unknown): unknown {
  if (typeof payload !== 'string' || source === 'html' || source === 'mjml') return payload;
  // An email may start with an expression or with `[unsubscribe]`; JSON never does.
  if (source === 'auto' && !/^\s*(?:\{(?!\{)|\[(?![a-z]))/i.test(payload)) return payload;
  return parseJson(payload, 'payload');
}

function fromBase64(text: string): Buffer {
  const compact = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) throw new Fault('validation_failed.archive_base64');
  return Buffer.from(compact, 'base64');
}

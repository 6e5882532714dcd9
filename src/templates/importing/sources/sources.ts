import { Fault } from '../../../errors.ts';
import { readBundledAssets } from '../../bundle/bundled-assets.ts';
import { readBundle } from '../../bundle/read-bundle.ts';
import { openArchive, readArchive } from '../archive/archive.ts';
import { readFolder } from '../archive/read-folder.ts';
import type { ImportedSource } from '../imported-template.ts';
import { parseJson } from './parse-export.ts';
import { detectSource, readService, type Service } from './read-service.ts';

export type Source = Service | 'zip' | 'auto';

type Payload = {
  readonly source: Source;
  readonly payload: unknown;
  /** Path of a zip archive, in place of the payload. */
  readonly archive: string | undefined;
};

/** How every zip archive starts, in base64: an entry, or the end of an empty archive. */
const ZIP = /^\s*UEs(?:DB|FBg)/;

/**
 * Reads what another service exported, an archive or plain sources.
 * In: a payload or an archive. Out: templates to import, and notes. Invariant: nothing is stored here, and an archive
 * is closed when reading it fails.
 * @throws Fault validation_failed, too_large when it is not that
 */
export async function readPayload(
  { source, payload, archive }: Payload,
  signal: AbortSignal,
): Promise<ImportedSource> {
  if (archive !== undefined) return readZip(source, archive, signal);
  if (typeof payload === 'string' && (source === 'zip' || ZIP.test(payload)))
    return readZip(source, fromBase64(payload), signal);
  if (source === 'zip') throw new Fault('validation_failed.archive_base64');
  const value = parseText(source, payload);
  const service = source === 'auto' ? detectSource(value) : source;
  if (!service) throw new Fault('validation_failed.import_source');
  return { importedTemplates: await readService(service, value, 'payload'), notes: [] };
}

async function readZip(source: Source, zip: Buffer | string, signal: AbortSignal): Promise<ImportedSource> {
  const archive = await openArchive(zip);
  const { bundleRoot, close } = archive;
  try {
    if (bundleRoot !== undefined) {
      const read = (path: string) => archive.read(bundleRoot + path);
      const importedTemplates = await readBundle(read, signal);
      return { importedTemplates, notes: [], assets: await readBundledAssets(read), close };
    }
    const files = await readArchive(archive, signal);
    const found = await readFolder(files, source === 'zip' || source === 'auto' ? undefined : source);
    close();
    return found;
  } catch (error) {
    close();
    throw error;
  }
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

import { Fault } from '../../../src/errors.ts';
import { localizeFault, plainReader } from '../../../src/language.ts';
import { createEngine } from '../../../src/templates/engine/engine.ts';
import { createFill } from '../../../src/videos/composition/fill.ts';
import { createPageReader } from '../../../src/videos/composition/page-reader.ts';
import { VideoRequest } from '../../../src/videos/request.ts';
import { Manifest, type VideoTemplate } from '../../../src/videos/templates/video-template.ts';

export const FACES = `/* inter */
@font-face { font-family: 'Inter Variable'; src: url(fonts/inter/a.woff2) }
@font-face { font-family: 'Fraunces Variable'; src: url(fonts/fraunces/b.woff2) }`;

/** What fills pages, with its threads. */
export function openFiller({ timeLimitFactor = 30 } = {}) {
  const engine = createEngine({ threads: 1, timeLimitFactor: 30 });
  const reader = createPageReader();
  return {
    reader,
    fill: createFill({ engine, reader, fontFaces: FACES, timeLimitFactor }),
    close: () => Promise.all([engine.close(), reader.close()]),
  };
}

export function templateOf(html: string, manifest: Partial<Manifest> = {}): VideoTemplate {
  return {
    name: 'card',
    builtIn: false,
    version: 1,
    html,
    manifest: Manifest.parse({ title: 'Card', ...manifest }),
    tag: 't',
  };
}

export function requestOf(fields: Partial<VideoRequest> = {}): VideoRequest {
  return VideoRequest.parse({ title: 'Hello', duration: 2, ...fields });
}

/** A fault as a caller reads it. */
export async function faultOf(call: Promise<unknown>, locale: 'en' | 'es' = 'en') {
  const fault = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof Fault)) return fault;
  const { detail, errors } = localizeFault(fault, plainReader(locale));
  return { code: fault.code, status: fault.status, detail, errors };
}

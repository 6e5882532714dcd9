import { createEngine } from '../../src/templates/engine/engine.ts';
import { createCompositionBuilder } from '../../src/videos/composition/build-composition.ts';
import type { Composition } from '../../src/videos/composition/composition.ts';
import { createFill } from '../../src/videos/composition/fill.ts';
import { createPageReader } from '../../src/videos/composition/page-reader.ts';
import { fontFaces } from '../../src/videos/engine-files.ts';
import { type Aspect, VideoRequest } from '../../src/videos/request.ts';
import type { BuiltIns } from '../../src/videos/templates/built-ins.ts';
import { isObject, type JsonObject } from '../../src/videos/templates/data-schema.ts';
import type { VideoTemplate } from '../../src/videos/templates/video-template.ts';
import { inLanguage, type RightToLeft, wordsOf } from './right-to-left.ts';

/** Composes built-in templates with the data of their previews, by the parts that compose what is asked for. */
export function createComposedBuiltIns({ files }: BuiltIns) {
  const engine = createEngine({ timeLimitFactor: 30 });
  const reader = createPageReader();
  const fill = createFill({ engine, reader, fontFaces: fontFaces() });
  const gather = createCompositionBuilder({
    fetchAsset: refuse,
    reader,
    prepareClip: () => Promise.reject(new Error('a built-in template has no clips')),
    files,
  });
  return { compose, close };

  async function compose(
    template: VideoTemplate,
    aspect: Aspect,
    { size, brand, style, captions: given, fps, language }: Different = {},
  ): Promise<Composition> {
    const { duration } = template.manifest;
    const title = language ? wordsOf(language, 5) : template.manifest.title;
    const written = template.manifest.sample;
    const sample = language ? inLanguage(written, language) : written;
    const speech = spoken(duration, language);
    const spokenHere = template.name === 'captions' ? speech : undefined;
    const request = VideoRequest.parse({
      title,
      duration,
      ...(size ?? { aspect }),
      ...(fps && { fps }),
      template: template.name,
      data: {
        ...sample,
        ...(brand && { brand: { ...(isObject(sample['brand']) && sample['brand']), ...brand } }),
        ...(style && { style }),
      },
      captions: given === 'spoken' ? speech : (given ?? spokenHere),
    });
    return gather((await fill(template, request)).page, AbortSignal.timeout(COMPOSE_MS));
  }

  async function close(): Promise<void> {
    await Promise.all([engine.close(), reader.close()]);
  }
}

/** What is other than in the preview. */
type Different = {
  readonly size?: { readonly width: number; readonly height: number };
  readonly brand?: JsonObject | undefined;
  readonly style?: string | undefined;
  readonly captions?: VideoRequest['captions'] | 'spoken';
  readonly fps?: number;
  /** All texts are replaced by words of this language. */
  readonly language?: RightToLeft | undefined;
};

const COMPOSE_MS = 60_000;

async function refuse(address: string): Promise<never> {
  throw new Error(`a template of ours shows ${address}, which is not its own`);
}

const SPEECH = [
  'Most shops write to their customers',
  'when they have something to sell.',
  'Write when you have something to say.',
];

/** Sentences that share the time, with a pause after each. */
function spoken(seconds: number, language?: RightToLeft) {
  const each = seconds / SPEECH.length;
  const lines = language ? SPEECH.map((line) => wordsOf(language, line.split(' ').length)) : SPEECH;
  return lines.map((text, at) => ({ start: at * each, end: (at + 0.95) * each, text }));
}

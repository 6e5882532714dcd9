import { availableParallelism } from 'node:os';
import type { Sharp, SharpOptions } from 'sharp';
import { Fault } from '../errors.ts';
import { createFairQueue, type QueueCaller } from '../platform/fair-queue.ts';
import { loadSharp } from '../platform/load-sharp.ts';
import { onceAsync } from '../platform/once-async.ts';
import { LIMITS } from './asset.ts';
import { sanitizeSvg } from './sanitize-svg.ts';
import { stripMetadata } from './strip-metadata.ts';

export type Picture = {
  readonly bytes: Buffer;
  /** Pixels, as the picture is shown. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
};

export const VARIANT_FORMATS = ['webp', 'avif', 'png', 'jpeg'] as const;
type VariantFormat = (typeof VARIANT_FORMATS)[number];

export type VariantRequest = {
  readonly w?: number | undefined;
  readonly h?: number | undefined;
  readonly fit: 'cover' | 'contain';
  /** By default, that of the picture. */
  readonly format?: VariantFormat | undefined;
};

export type Pictures = ReturnType<typeof createPictures>;

/** Decoding takes a core and up to 256 MB, so there is always a core for everything else. */
const CONCURRENCY = Math.max(1, Math.floor(availableParallelism() / 2));
const MAX_WAITING = 200;
const QUALITY = { jpeg: 82, webp: 80, avif: 55 };
/** For what is written again only because the camera was held sideways. */
const UPRIGHT_QUALITY = 92;

/** Checks pictures and makes other sizes of them: few at a time, and accounts take turns. */
export function createPictures() {
  const queue = createFairQueue({
    concurrency: CONCURRENCY,
    waiting: MAX_WAITING,
    rejection: () => new Fault('unavailable.pictures_full', {}, { retryAfterSeconds: 2 }),
  });
  const load = onceAsync(loadSharp);

  async function inTurn<Result>(caller: QueueCaller, work: () => Promise<Result>): Promise<Result> {
    await queue.enter(caller);
    try {
      return await work();
    } finally {
      queue.leave();
    }
  }

  /** Nothing is decoded for this but the head. @throws Fault too_large.asset_pixels, validation_failed.asset_broken */
  async function measure(bytes: Buffer, path: string) {
    const sharp = await load();
    const meta = await sharp(bytes, { ...READING, limitInputPixels: false })
      .metadata()
      .catch((error: unknown) => {
        throw broken(path, error);
      });
    const { width, height: whole, pageHeight, pages = 1, autoOrient, orientation = 1, exif, xmp } = meta;
    const height = pageHeight ?? whole;
    const isTooLarge = width > LIMITS.side || height > LIMITS.side || width * height * pages > LIMITS.pixels;
    if (isTooLarge) throw tooManyPixels(path, width, height, pages);
    const shown = pages > 1 ? { width, height } : { width: autoOrient.width, height: autoOrient.height };
    return { ...shown, orientation, hasMetadata: exif !== undefined || xmp !== undefined };
  }

  /** Pictures inside a drawing are decoded whole when it is: all together may have as many pixels as one picture. */
  async function measureEmbedded(svg: Buffer, path: string): Promise<void> {
    let pixels = 0;
    for (const [, data = ''] of svg.toString('utf8').matchAll(EMBEDDED)) {
      const { width, height } = await measure(Buffer.from(data, 'base64'), path);
      pixels += width * height;
      if (pixels > LIMITS.pixels) throw tooManyPixels(path, width, height, 1);
    }
  }

  return {
    /**
     * A picture without metadata, as it is to be stored. Its pixels stay as they are, unless the camera was held sideways.
     * @throws Fault too_large.asset_pixels, validation_failed.asset_broken, unavailable.pictures_full
     */
    clean(bytes: Buffer, mediaType: string, path: string, caller: QueueCaller): Promise<Picture> {
      return inTurn(caller, async () => {
        if (mediaType === 'image/svg+xml') {
          const drawing = cleanSvg(bytes, path);
          await measureEmbedded(drawing.bytes, path);
          return drawing;
        }
        const { width, height, orientation, hasMetadata } = await measure(bytes, path);
        const isAvif = mediaType === 'image/avif';
        if (orientation > 1 || (isAvif && hasMetadata)) {
          const format = mediaType.slice('image/'.length);
          const upright = await write(await open(bytes, { animated: false }), format, UPRIGHT_QUALITY);
          return { bytes: await made(upright, path), width, height };
        }
        const stripped = isAvif ? bytes : stripMetadata(bytes, mediaType);
        if (!stripped) throw broken(path, undefined);
        return { bytes: stripped, width, height };
      });
    },

    /** Another size or format. Pictures are never made larger. @throws Fault as `clean` */
    resize(
      bytes: Buffer,
      { mediaType, path }: { mediaType: string; path: string },
      { w, h, fit, format }: VariantRequest,
      caller: QueueCaller,
    ): Promise<Buffer> {
      return inTurn(caller, async () => {
        const written = format ?? mediaType.slice('image/'.length);
        const picture = await open(bytes, { animated: written === 'gif' || written === 'webp' });
        const sized = picture.resize({
          ...(w !== undefined && { width: w }),
          ...(h !== undefined && { height: h }),
          fit: fit === 'contain' ? 'inside' : 'cover',
          withoutEnlargement: true,
        });
        return made(await write(sized, written), path);
      });
    },
  };

  async function open(bytes: Buffer, options: { animated: boolean }): Promise<Sharp> {
    const sharp = await load();
    const limits = { ...READING, ...options, limitInputPixels: LIMITS.pixels };
    return sharp(bytes, limits).autoOrient().timeout({ seconds: 20 });
  }
}

/** As the sanitizer lets it stand. */
const EMBEDDED = /data:image\/[a-z]+;base64,([\sA-Za-z0-9+/=]*)/g;

const READING: SharpOptions = { failOn: 'error', sequentialRead: true };

async function write(picture: Sharp, format: string, quality?: number): Promise<Sharp> {
  switch (format) {
    case 'jpeg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ quality: quality ?? QUALITY.jpeg });
    case 'webp':
      return picture.webp({ quality: quality ?? QUALITY.webp });
    case 'avif':
      return picture.avif({ quality: quality ?? QUALITY.avif, effort: 3 });
    case 'gif':
      return picture.gif();
    default:
      return picture.png();
  }
}

async function made(picture: Sharp, path: string): Promise<Buffer> {
  return picture.toBuffer().catch((error: unknown) => {
    throw broken(path, error);
  });
}

function cleanSvg(bytes: Buffer, path: string): Picture {
  const clean = sanitizeSvg(bytes.toString('utf8'));
  if (!clean) throw new Fault('validation_failed.asset_svg', { path });
  const { svg, width, height } = clean;
  return { bytes: Buffer.from(svg), width, height };
}

function broken(path: string, cause: unknown): Fault {
  return new Fault('validation_failed.asset_broken', { path }, { cause });
}

function tooManyPixels(path: string, width: number, height: number, frames: number): Fault {
  const { pixels, side } = LIMITS;
  const params = { path, width, height, frames, side, megapixels: pixels / 1e6 };
  return new Fault(frames > 1 ? 'too_large.asset_frames' : 'too_large.asset_pixels', params);
}

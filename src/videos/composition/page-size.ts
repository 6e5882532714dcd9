import { nameOfRate } from '../frame-rate.ts';
import { type Aspect, badField, GIF, LIMITS, SIZES, type VideoRequest } from '../request.ts';
import type { VideoTemplate } from '../templates/video-template.ts';
import type { Timing } from './composition.ts';

type SizeRequest = Pick<VideoRequest, 'aspect' | 'width' | 'height' | 'format'>;
type TemplateShape = Pick<VideoTemplate, 'name' | 'manifest'>;
type Size = Pick<Timing, 'width' | 'height'>;

/**
 * The size of the video: as requested, otherwise that of the template's preferred aspect, 9:16 first.
 * @throws Fault validation_failed.video_size_both, .video_size_half, .video_gif_size, .video_pixels, .video_aspect
 */
export function pageSize({ aspect, width, height, format }: SizeRequest, template: TemplateShape): Size {
  if (aspect && (width ?? height) !== undefined)
    throw badField('validation_failed.video_size_both', ['aspect']);
  if (width !== undefined && height !== undefined) {
    if (format === 'gif') requireGifSize({ width, height });
    requireFrameSize({ width, height });
    requireAspect(aspectOf(width / height, template), width < height ? 'height' : 'width', template);
    return { width, height };
  }
  if (width !== undefined) throw badField('validation_failed.video_size_half', ['height']);
  if (height !== undefined) throw badField('validation_failed.video_size_half', ['width']);
  const { aspects } = template.manifest;
  const chosen = aspect ?? (aspects.includes('9:16') ? '9:16' : (aspects[0] ?? '9:16'));
  requireAspect(chosen, 'aspect', template);
  return (format === 'gif' ? GIF.sizes : SIZES)[chosen];
}

function requireGifSize({ width, height }: Size): void {
  if (Math.max(width, height) <= GIF.most) return;
  throw badField('validation_failed.video_gif_size', [width > height ? 'width' : 'height'], {
    limit: GIF.most,
  });
}

function requireFrameSize({ width, height }: Size): void {
  const { ofFrame } = LIMITS.pixels;
  if (width * height <= ofFrame) return;
  const shorter = width < height ? 'width' : 'height';
  throw badField('validation_failed.video_pixels', [shorter], {
    limit: 2 * Math.floor(ofFrame / Math.max(width, height) / 2),
  });
}

/**
 * A video with large frames can have fewer of them, so that it keeps a machine busy no longer than others.
 * @throws Fault validation_failed.video_length
 */
export function requireLength({ width, height, fps, frames }: Timing): void {
  const most = Math.floor(LIMITS.pixels.ofVideo / (width * height));
  if (frames <= most) return;
  throw badField('validation_failed.video_length', ['duration'], {
    ...{ width, height, fps: nameOfRate(fps), limit: Math.floor(most / fps) },
  });
}

/** The aspect whose layout fits a ratio. */
function aspectOf(ratio: number, { manifest: { aspects } }: TemplateShape): Aspect {
  if (ratio < 3 / 4) return '9:16';
  if (ratio < 9 / 10 && aspects.includes('4:5')) return '4:5';
  return ratio > 4 / 3 ? '16:9' : '1:1';
}

function requireAspect(aspect: Aspect, field: string, { name, manifest: { aspects } }: TemplateShape): void {
  if (aspects.includes(aspect)) return;
  throw badField('validation_failed.video_aspect', [field], {
    template: name,
    aspect,
    known: aspects.join(', '),
  });
}

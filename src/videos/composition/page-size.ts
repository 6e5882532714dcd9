import { type Aspect, badField, GIF, SIZES, type VideoRequest } from '../request.ts';
import type { VideoTemplate } from '../templates/video-template.ts';
import type { Timing } from './composition.ts';

type SizeRequest = Pick<VideoRequest, 'aspect' | 'width' | 'height' | 'format'>;
type TemplateShape = Pick<VideoTemplate, 'name' | 'manifest'>;
type Size = Pick<Timing, 'width' | 'height'>;

/**
 * The size of the video: as requested, otherwise that of the template's preferred aspect, 9:16 first.
 * @throws Fault validation_failed.video_size_both, .video_size_half, .video_gif_size, .video_aspect
 */
export function pageSize({ aspect, width, height, format }: SizeRequest, template: TemplateShape): Size {
  if (aspect && (width ?? height) !== undefined)
    throw badField('validation_failed.video_size_both', ['aspect']);
  if (width !== undefined && height !== undefined) {
    if (format === 'gif') requireGifSize({ width, height });
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

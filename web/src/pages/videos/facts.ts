import type { Output } from '../../api/operation.ts';
import type { getVideo } from '../../api/operations.gen.ts';

export type Video = Output<typeof getVideo>;

const SHAPES = ['9:16', '4:5', '1:1', '16:9'] as const;

export const isUnfinished = ({ status }: Pick<Video, 'status'>): boolean =>
  status === 'pending' || status === 'rendering' || status === 'finalizing';

/** The shape as people name it: 9:16, or its pixels where it is none of those. */
export function shapeOf({ width, height }: Pick<Video, 'width' | 'height'>): string {
  const named = SHAPES.find((shape) => Math.abs(ratioOf(shape) - width / height) < 0.005);
  return named ?? `${width} × ${height}`;
}

/** Width by height. */
export function ratioOf(shape: string): number {
  const [width = 9, height = 16] = shape.split(':').map(Number);
  return width / height;
}

/** Seconds as a player shows them, such as 0:08. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A GIF or a PNG is a picture to browsers. */
export const isPicture = ({ format }: Pick<Video, 'format'>): boolean => format === 'gif' || format === 'png';

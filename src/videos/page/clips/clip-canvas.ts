import type { VideoSample } from 'mediabunny';
import { type Fitting, placeIn } from './fit-box.ts';
import { ClipFailed, MAX_CLIP_PIXELS, type OpenClip } from './open-clip.ts';

/** A canvas that shows one frame of a clip at a time. */
export type ClipCanvas = {
  readonly element: HTMLCanvasElement;
  /** Takes over the pixels of a frame. @throws ClipFailed */
  load(sample: VideoSample): Promise<void>;
  /** Draws the frame where the styles of the page want it; false when the canvas already shows it there. */
  draw(): boolean;
};

/** Software canvases: pixels would have to be read back from a GPU. */
const IN_SOFTWARE = { willReadFrequently: true } as const;

/**
 * Its bitmap always has the size of its box: the browser does not scale a canvas that is drawn within another one, so
 * the picture is fitted here.
 * @param onDrawn Called with the size of the bitmap each time it was drawn.
 */
export function createClipCanvas(
  { width, height, rotation, isTransparent }: OpenClip,
  onDrawn: (bytes: number) => void,
): ClipCanvas {
  const element = document.createElement('canvas');
  Object.assign(element, { width, height });
  const target = contextOf(element);
  let pixels: ImageData | undefined;
  /** The frame as it was decoded, to be scaled and turned. */
  let raw: OffscreenCanvasRenderingContext2D | undefined;
  let isRawOld = true;
  let drawn = '';
  return { element, load, draw };

  // Converting pixels here is many times as fast as drawing a frame onto a software canvas.
  async function load(sample: VideoSample): Promise<void> {
    const frame = sample.toVideoFrame();
    try {
      const { width: across = 0, height: down = 0 } = frame.visibleRect ?? {};
      if (across * down > MAX_CLIP_PIXELS) throw new ClipFailed(`${across} × ${down}`);
      if (pixels?.width !== across || pixels.height !== down) pixels = new ImageData(across, down);
      await frame.copyTo(pixels.data, { format: isTransparent ? 'RGBA' : 'RGBX' });
      isRawOld = true;
      drawn = '';
    } finally {
      frame.close();
    }
  }

  function draw(): boolean {
    const fitting = fittingOf(element);
    const key = JSON.stringify(fitting);
    if (!pixels || key === drawn) return false;
    drawn = key;
    const [across, down] = [Math.round(fitting.width), Math.round(fitting.height)];
    if (across < 1 || down < 1) return false;
    if (element.width !== across || element.height !== down)
      Object.assign(element, { width: across, height: down });
    const isAsDecoded = rotation === 0 && pixels.width === width && pixels.height === height;
    if (isAsDecoded && across === width && down === height) target.putImageData(pixels, 0, 0);
    else drawScaled({ ...fitting, width: across, height: down }, pixels);
    onDrawn(across * down * 4);
    return true;
  }

  function drawScaled(fitting: Fitting, image: ImageData): void {
    const place = placeIn(fitting, { width, height });
    const isSideways = rotation % 180 !== 0;
    const [across, down] = isSideways ? [place.height, place.width] : [place.width, place.height];
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.clearRect(0, 0, fitting.width, fitting.height);
    target.imageSmoothingQuality = 'medium';
    target.translate(place.x + place.width / 2, place.y + place.height / 2);
    target.rotate((rotation * Math.PI) / 180);
    target.drawImage(rawCanvas(image), -across / 2, -down / 2, across, down);
  }

  function rawCanvas(image: ImageData): OffscreenCanvas {
    if (raw?.canvas.width !== image.width || raw.canvas.height !== image.height)
      raw = new OffscreenCanvas(image.width, image.height).getContext('2d', IN_SOFTWARE) ?? undefined;
    if (!raw) throw new ClipFailed('no canvas');
    if (isRawOld) raw.putImageData(image, 0, 0);
    isRawOld = false;
    return raw.canvas;
  }
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new ClipFailed('no canvas');
  return context;
}

/** The content box of an element. Transforms do not count: they apply to the drawn canvas. */
function fittingOf(element: HTMLElement): Fitting {
  const { width, height, objectFit, objectPosition, boxSizing, ...edges } = styleOf(element);
  const isBorderBox = boxSizing === 'border-box';
  return {
    width: Number.parseFloat(width) - (isBorderBox ? edges.across : 0),
    height: Number.parseFloat(height) - (isBorderBox ? edges.down : 0),
    fit: objectFit,
    position: objectPosition,
  };
}

function styleOf(element: HTMLElement) {
  const style = getComputedStyle(element);
  const sum = (...names: string[]) =>
    names.reduce((total, name) => total + Number.parseFloat(style.getPropertyValue(name)), 0);
  const { width, height, objectFit, objectPosition, boxSizing } = style;
  return {
    ...{ width, height, objectFit, objectPosition, boxSizing },
    across: sum('padding-left', 'padding-right', 'border-left-width', 'border-right-width'),
    down: sum('padding-top', 'padding-bottom', 'border-top-width', 'border-bottom-width'),
  };
}

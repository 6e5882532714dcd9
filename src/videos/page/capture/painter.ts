export type Painter = {
  /** Paints the current page. The caller closes the frame. */
  paint(timestamp: number): Promise<VideoFrame>;
};

type Size = { readonly width: number; readonly height: number };

type PainterOptions = {
  /** In one part; else in strips, which is faster. */
  readonly whole: boolean;
};

/** Draws the content of a canvas onto it, in software: pixels would have to be read back from a GPU. */
export function createPainter(canvas: HTMLCanvasElement, child: Element, { whole }: PainterOptions): Painter {
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  const { requestPaint } = canvas;
  if (!context?.drawElementImage || !requestPaint) throw new Error('this browser does not paint elements');
  const { width } = canvas;
  const strips = whole ? [{ top: 0, height: canvas.height }] : stripsOf(canvas);
  return { paint };

  async function paint(timestamp: number): Promise<VideoFrame> {
    const { promise, resolve, reject } = Promise.withResolvers<VideoFrame>();
    const onPaint = () => {
      try {
        // Inside the event, the current page is drawn; outside it, that of the last event.
        for (const strip of strips) drawStrip(strip);
        resolve(new VideoFrame(canvas, { timestamp, alpha: 'discard' }));
      } catch (error) {
        reject(error);
      }
    };
    canvas.addEventListener('paint', onPaint, { once: true });
    canvas.requestPaint?.();
    return promise;
  }

  function drawStrip({ top, height }: Strip): void {
    context?.save();
    context?.beginPath();
    context?.rect(0, top, width, height);
    context?.clip();
    context?.drawElementImage?.(child, 0, 0);
    context?.restore();
  }
}

type Strip = { readonly top: number; readonly height: number };

/**
 * The browser draws an element on a layer of the size of what is drawn. Its allocator keeps memory of up to 960 KiB for
 * the next layer; a larger one is asked of the system for each frame, which took three times as long as painting it.
 */
const MAX_LAYER_BYTES = 900 * 1024;
/** Gradients are dithered in squares of so many pixels, from the corner of their layer. */
const DITHERED = 8;

/** The canvas from top to bottom, in parts whose layers are small. */
function stripsOf({ width, height }: Size): Strip[] {
  const rows = DITHERED * Math.max(1, Math.floor(MAX_LAYER_BYTES / (width * 4 * DITHERED)));
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => {
    const top = index * rows;
    return { top, height: Math.min(rows, height - top) };
  });
}

type Wrapped = {
  readonly canvas: HTMLCanvasElement;
  /** The drawn child of the canvas. Its own transforms are ignored, so it has none and contains the stage. */
  readonly holder: HTMLElement;
  /** Moves the stage back. */
  unwrap(): void;
};

/**
 * Puts a canvas in the stage's place and the stage into it, with its size and at the corner of the picture. Its
 * animations continue.
 */
export function wrapStage(stage: HTMLElement, { width, height }: Size): Wrapped {
  const parent = stage.parentElement;
  if (!parent) throw new Error('the stage is not in the page');
  const canvas = document.createElement('canvas');
  const holder = document.createElement('stage-holder');
  canvas.setAttribute('layoutsubtree', '');
  Object.assign(canvas, { width, height });
  const box = { display: 'block', width: `${width}px`, height: `${height}px` };
  // Rules of the template may match any element, so everything is set here. The compositor skips hidden elements, but
  // their content can still be drawn.
  force(canvas, { all: 'unset', position: 'fixed', left: '0', top: '0', visibility: 'hidden', ...box });
  force(holder, {
    all: 'unset',
    visibility: 'visible',
    ...pageBackground(),
    overflow: 'hidden',
    ...box,
  });
  const { width: stageWidth, height: stageHeight } = getComputedStyle(stage);

  parent.insertBefore(canvas, stage);
  canvas.append(holder);
  // Animations survive a move only between styled elements; reading a layout value applies the style.
  holder.getBoundingClientRect();
  holder.moveBefore(stage, null);
  const restore = force(stage, {
    ...{ position: 'absolute', inset: '0 auto auto 0', margin: '0', width: stageWidth, height: stageHeight },
    ...{ 'min-width': '0', 'max-width': 'none', 'min-height': '0', 'max-height': 'none' },
  });
  return { canvas, holder, unwrap };

  function unwrap(): void {
    canvas.parentElement?.moveBefore(stage, canvas);
    canvas.remove();
    restore();
  }
}

// The background visible through a stage that is not opaque: the first of html and body, over white.
function pageBackground(): Record<string, string> {
  const styles = [document.documentElement, document.body].map((one) => getComputedStyle(one));
  const painted = styles.find((style) => style.backgroundColor !== NONE || style.backgroundImage !== 'none');
  const { background = 'white', backgroundColor = 'white' } = painted ?? {};
  return { background, 'background-color': backgroundColor === NONE ? 'white' : backgroundColor };
}

const NONE = 'rgba(0, 0, 0, 0)';

/** @returns a function that restores the element's own styles */
function force(element: HTMLElement, styles: Readonly<Record<string, string>>): () => void {
  const { style } = element;
  const before = Object.keys(styles).map(
    (name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)] as const,
  );
  for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
  return () => {
    for (const [name, value, priority] of before) style.setProperty(name, value, priority);
  };
}

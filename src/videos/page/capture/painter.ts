export type Painter = {
  /** Paints the page as it is now. The caller closes the picture. */
  paint(timestamp: number): Promise<VideoFrame>;
};

/** Paints what is inside of a canvas onto it, without a graphics processor, whose pixels would have to be fetched. */
export function createPainter(canvas: HTMLCanvasElement, child: Element): Painter {
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  const { requestPaint } = canvas;
  if (!context?.drawElementImage || !requestPaint) throw new Error('this browser does not paint elements');
  return { paint };

  async function paint(timestamp: number): Promise<VideoFrame> {
    const { promise, resolve, reject } = Promise.withResolvers<VideoFrame>();
    const onPaint = () => {
      try {
        // What is drawn here is the page of this moment; at any other time it would be that of the last event.
        context?.drawElementImage?.(child, 0, 0);
        resolve(new VideoFrame(canvas, { timestamp, alpha: 'discard' }));
      } catch (error) {
        reject(error);
      }
    };
    canvas.addEventListener('paint', onPaint, { once: true });
    canvas.requestPaint?.();
    return promise;
  }
}

type Wrapped = {
  readonly canvas: HTMLCanvasElement;
  /** The child of the canvas that is drawn: its own transforms would not be, so it has none and the stage is inside. */
  readonly holder: HTMLElement;
  /** Puts the stage back where it was. */
  unwrap(): void;
};

type Size = { readonly width: number; readonly height: number };

/**
 * Puts a canvas in the place of the stage, and the stage into it, as large as it was and at the corner of the picture.
 * Its animations go on as they are.
 */
export function wrapStage(stage: HTMLElement, { width, height }: Size): Wrapped {
  const parent = stage.parentElement;
  if (!parent) throw new Error('the stage is not in the page');
  const canvas = document.createElement('canvas');
  const holder = document.createElement('stage-holder');
  canvas.setAttribute('layoutsubtree', '');
  Object.assign(canvas, { width, height });
  const box = { display: 'block', width: `${width}px`, height: `${height}px` };
  // The template's own rules may name anything, so nothing is left to them. Of what is hidden the compositor makes no
  // pictures; what is inside can still be drawn.
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
  // Animations go on only from one place that has a style to another; asking for a measure gives it one.
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

// What is seen of the page through a stage that is not opaque: the first background of the two, over white.
function pageBackground(): Record<string, string> {
  const styles = [document.documentElement, document.body].map((one) => getComputedStyle(one));
  const painted = styles.find((style) => style.backgroundColor !== NONE || style.backgroundImage !== 'none');
  const { background = 'white', backgroundColor = 'white' } = painted ?? {};
  return { background, 'background-color': backgroundColor === NONE ? 'white' : backgroundColor };
}

const NONE = 'rgba(0, 0, 0, 0)';

/** @returns a function that puts back what the element itself said before */
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

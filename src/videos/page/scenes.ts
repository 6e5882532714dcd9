import { dataNumber } from './data-values.ts';
import type { Origin, Origins } from './origins.ts';
import { cutFrames, sharesOf } from './scene-cuts.ts';

/** A section of the video; frames `from` to `to`, `to` excluded. */
type Scene = Origin & {
  readonly element: HTMLElement;
  readonly from: number;
  readonly to: number;
  isShown: boolean;
};

export type Scenes = {
  readonly all: readonly Scene[];
  /** Displays the scenes of a frame and hides the others; true when that changed any. */
  show(frame: number): boolean;
  /** Creates their entrance and exit animations. */
  animate(): Animation[];
};

type Whole = { readonly from: number; readonly to: number; readonly fps: number };

/** Divides the time of a parent among its direct scenes by weight. */
export function createScenes(
  stage: HTMLElement,
  origins: Origins,
  { frames, fps }: { frames: number; fps: number },
): Scenes {
  const all: Scene[] = [];
  layOut(stage, { from: 0, to: frames, fps }, all);
  for (const scene of all) {
    origins.set(scene.element, scene);
    setLength(scene.element, scene.length / 1000);
  }
  const lingering = new Map(all.map((scene) => [scene, lingerFrames(scene, fps)]));
  return { all, show, animate: () => all.flatMap((scene) => animateScene(scene.element, scene.length)) };

  function show(frame: number): boolean {
    let changed = false;
    // Outer scenes come first.
    for (const scene of all) {
      const around = origins.of(scene.element.parentElement ?? stage);
      const isShown = around.isShown && frame >= scene.from && frame < scene.to + (lingering.get(scene) ?? 0);
      if (isShown === scene.isShown) continue;
      scene.isShown = isShown;
      scene.element.toggleAttribute('data-off', !isShown);
      changed = true;
    }
    return changed;
  }
}

/** Tells the style how long a scene is, as a time and as a number, which `calc()` of every browser can use. */
export function setLength({ style }: HTMLElement, seconds: number): void {
  style.setProperty('--scene-duration', `${seconds}s`);
  style.setProperty('--scene-seconds', String(seconds));
}

function layOut(parent: Element, whole: Whole, all: Scene[]): void {
  const members = [...parent.children].filter(isScene);
  const shares = sharesOf(members.map(({ dataset }) => dataNumber(dataset['weight'], 1)));
  const spans = new Map<Element, Whole>();
  members.forEach((element, index) => {
    const share = shares[index];
    if (!share) return;
    const span = cutFrames(whole, share);
    spans.set(element, span);
    all.push(sceneOf(element, span));
  });
  for (const child of parent.children) layOut(child, spans.get(child) ?? whole, all);
}

function sceneOf(element: HTMLElement, { from, to, fps }: Whole): Scene {
  return {
    element,
    from,
    to,
    start: (from * 1000) / fps,
    length: ((to - from) * 1000) / fps,
    isShown: true,
  };
}

function isScene(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.hasAttribute('data-scene');
}

/** Products such as 1.1 × 30 are a little more than they should be. */
const ROUNDING = 1e-6;

function lingerFrames({ element, from, to }: Scene, fps: number): number {
  // A frame that begins within the time still shows the scene: a transition that long never has nothing below it.
  return to > from ? Math.ceil(dataNumber(element.dataset['linger'], 0) * fps - ROUNDING) : 0;
}

type Effect = { readonly name: string; readonly ms: number };

/** Default duration of an entrance or exit, in seconds. */
const STANDARD_SECONDS = 0.5;

/**
 * Creates the entrance and exit that `data-in` and `data-out` name, such as `fade 0.5`. They use separate properties
 * (opacity, translate, scale, clip-path), so an author's `transform` is unaffected.
 * @param length of the scene in milliseconds, which both together never exceed
 */
function animateScene(element: HTMLElement, length: number): Animation[] {
  const entrance = read(element.dataset['in']);
  const exit = read(element.dataset['out']);
  const squeeze = Math.min(1, length / (entrance.ms + exit.ms || 1));
  const [entranceMs, exitMs] = [entrance.ms * squeeze, exit.ms * squeeze];
  const away = LEFT[exit.name];
  const animations: Animation[] = [];
  const start = ENTERING[entrance.name] ?? LEFT[entrance.name];
  if (start && entranceMs > 0) {
    const timing = {
      duration: entranceMs,
      fill: 'backwards',
      easing: 'cubic-bezier(.16, 1, .3, 1)',
    } as const;
    animations.push(element.animate([start, rest(start)], timing));
  }
  if (away && exitMs > 0) {
    const timing = {
      duration: exitMs,
      delay: length - exitMs,
      fill: 'forwards',
      easing: 'cubic-bezier(.7, 0, .84, 0)',
    } as const;
    animations.push(element.animate([rest(away), away], timing));
  }
  return animations;
}

function read(text = 'none'): Effect {
  const [name = 'none', seconds] = text.trim().split(/\s+/);
  return { name, ms: name in LEFT ? dataNumber(seconds, STANDARD_SECONDS) * 1000 : 0 };
}

/** A scene that has left. The direction is where it moves to. */
const LEFT: Readonly<Record<string, Keyframe>> = {
  fade: { opacity: 0 },
  'slide-left': { translate: '-100% 0' },
  'slide-right': { translate: '100% 0' },
  'slide-up': { translate: '0 -100%' },
  'slide-down': { translate: '0 100%' },
  zoom: { opacity: 0, scale: 1.15 },
  wipe: { clipPath: 'inset(0 0 0 100%)' },
};

/** A scene that enters, where that differs. */
const ENTERING: Readonly<Record<string, Keyframe>> = {
  'slide-left': { translate: '100% 0' },
  'slide-right': { translate: '-100% 0' },
  'slide-up': { translate: '0 100%' },
  'slide-down': { translate: '0 -100%' },
  zoom: { opacity: 0, scale: 0.85 },
  wipe: { clipPath: 'inset(0 100% 0 0)' },
};

/** The other end of the animation is the scene's own style; `none` cannot be animated for a clip-path. */
function rest(keyframe: Keyframe): Keyframe {
  return 'clipPath' in keyframe ? { clipPath: 'inset(0 0 0 0)' } : {};
}

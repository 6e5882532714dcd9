import { dataNumber } from './data-values.ts';
import type { Origin, Origins } from './origins.ts';

/** A part of the time with its own beginning; frames `from` to `to`, the last one not included. */
type Scene = Origin & {
  readonly element: HTMLElement;
  readonly from: number;
  readonly to: number;
  isShown: boolean;
};

export type Scenes = {
  readonly all: readonly Scene[];
  /** Displays the scenes of a frame and hides all others; true when that changed any. */
  show(frame: number): boolean;
  /** Makes their entrances and exits: animations from the beginning of each. */
  animate(): Animation[];
};

type Whole = { readonly from: number; readonly to: number; readonly fps: number };

/**
 * Shares the time of a parent among the scenes directly in it, by their weights. Scenes begin and end on whole frames,
 * so the first picture of a scene is exactly its first moment.
 */
export function createScenes(
  stage: HTMLElement,
  origins: Origins,
  { frames, fps }: { frames: number; fps: number },
): Scenes {
  const all: Scene[] = [];
  layOut(stage, { from: 0, to: frames, fps }, all);
  for (const scene of all) {
    origins.set(scene.element, scene);
    scene.element.style.setProperty('--scene-duration', `${scene.length / 1000}s`);
  }
  const lingering = new Map(all.map((scene) => [scene, lingerFrames(scene, fps)]));
  return { all, show, animate: () => all.flatMap((scene) => animateScene(scene.element, scene.length)) };

  function show(frame: number): boolean {
    let changed = false;
    // A scene comes after the one around it.
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

function layOut(parent: Element, whole: Whole, all: Scene[]): void {
  const members = [...parent.children].filter(isScene);
  const weights = members.map(({ dataset }) => dataNumber(dataset['weight'], 1));
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
  let before = 0;
  const spans = new Map<Element, Whole>();
  members.forEach((element, index) => {
    const after = before + (weights[index] ?? 0);
    const span = { ...whole, from: cut(whole, before / sum), to: cut(whole, after / sum) };
    before = after;
    spans.set(element, span);
    all.push(sceneOf(element, span));
  });
  for (const child of parent.children) layOut(child, spans.get(child) ?? whole, all);
}

function cut({ from, to }: Whole, share: number): number {
  return Math.round(from + (to - from) * share);
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

function lingerFrames({ element, from, to }: Scene, fps: number): number {
  return to > from ? Math.round(dataNumber(element.dataset['linger'], 0) * fps) : 0;
}

type Effect = { readonly name: string; readonly ms: number };

/** Seconds that an entrance or an exit takes when the author does not say. */
const STANDARD_SECONDS = 0.5;

/**
 * Makes the entrance and the exit that `data-in` and `data-out` name, such as `fade 0.5`. They move by the properties
 * of their own (opacity, translate, scale, clip-path), so that an author's `transform` stays what it is.
 * @param length of the scene, in milliseconds: both together never take longer
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

/** How a scene looks when it is gone. The words left and so on say where it moves to. */
const LEFT: Readonly<Record<string, Keyframe>> = {
  fade: { opacity: 0 },
  'slide-left': { translate: '-100% 0' },
  'slide-right': { translate: '100% 0' },
  'slide-up': { translate: '0 -100%' },
  'slide-down': { translate: '0 100%' },
  zoom: { opacity: 0, scale: 1.15 },
  wipe: { clipPath: 'inset(0 0 0 100%)' },
};

/** How it looks before it comes, where that is another thing. */
const ENTERING: Readonly<Record<string, Keyframe>> = {
  'slide-left': { translate: '100% 0' },
  'slide-right': { translate: '-100% 0' },
  'slide-up': { translate: '0 100%' },
  'slide-down': { translate: '0 -100%' },
  zoom: { opacity: 0, scale: 0.85 },
  wipe: { clipPath: 'inset(0 100% 0 0)' },
};

/** The other end: what the style says by itself, but `none` of a clip-path is no shape to come from. */
function rest(keyframe: Keyframe): Keyframe {
  return 'clipPath' in keyframe ? { clipPath: 'inset(0 0 0 0)' } : {};
}
